"""Players: keys, names, passwords, rate limits and the audit log. Independent of puzzles."""
