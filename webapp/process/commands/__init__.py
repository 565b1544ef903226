"""Commands and processes: how they say what is wrong, the schema they need, how they end."""
