"""Dailies, leaderboards, statistics and groups: how solves compare."""
