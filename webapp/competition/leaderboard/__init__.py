"""Leaderboards: their rows, the distribution of times, pages and charts."""
