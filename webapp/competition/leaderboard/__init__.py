"""Leaderboards: their rows, how times are distributed, and the pages and charts that show them."""
