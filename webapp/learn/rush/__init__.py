"""Puzzle rush: as many next steps as possible in three minutes."""
