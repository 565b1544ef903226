"""Dailies, leaderboards, statistics and groups: comparing solves."""
