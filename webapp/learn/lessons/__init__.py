"""Lessons: a page for every technique, the path through them, and how far each player is."""
