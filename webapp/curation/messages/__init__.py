"""Notices to all players, and what players report about puzzles."""
