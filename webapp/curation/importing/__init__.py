"""Puzzles from files and back into files."""
