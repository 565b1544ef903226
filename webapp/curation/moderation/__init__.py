"""Moderation: solves under review, names and suspensions."""
