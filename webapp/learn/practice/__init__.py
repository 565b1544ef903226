"""Practice: drills on positions of the path, each time in another equivalent form."""
