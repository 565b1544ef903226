"""What every page shares: the player, headers, language, inputs, static files and error responses."""
