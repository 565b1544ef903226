"""Practice: drills for each technique, scheduled by spaced repetition."""
