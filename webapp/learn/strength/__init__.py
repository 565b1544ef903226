"""Ratings of players and puzzles: Glicko-2, with each game as one of a player against a puzzle."""
