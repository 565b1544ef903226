"""A curator's own settings: mail from the desk, tokens for the API."""
