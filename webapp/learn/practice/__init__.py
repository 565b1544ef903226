"""Practice: drills for each technique, and spaced repetition that decides which comes next."""
