"""Lessons: a page for every technique, the path through them, and each player's progress."""
