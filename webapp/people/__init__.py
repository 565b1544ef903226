"""A player's account, public profile and password recovery."""
