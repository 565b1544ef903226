"""Shared by all pages: the player, headers, language, inputs, static files and error responses."""
