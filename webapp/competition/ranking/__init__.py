"""Ranking: outcomes of solves, their leaderboards, waits, points, and the freeze of a daily."""
