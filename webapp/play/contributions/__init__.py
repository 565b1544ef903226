"""Submissions of players and collections of curators."""
