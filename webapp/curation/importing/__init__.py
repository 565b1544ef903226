"""Importing and exporting puzzles."""
