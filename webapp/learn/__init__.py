"""Lessons, practice, player ratings and the analysis board."""
