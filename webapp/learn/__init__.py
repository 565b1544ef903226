"""Lessons, practice and the analysis board."""
