"""Puzzles at the desk: found, decided on, ordered, imported, exported and printed."""
