"""Signatures and encryption by the secret key."""
