"""A player's account, public profile and the way back in after a forgotten password."""
