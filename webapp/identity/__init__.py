"""Who plays: players by key, names, passwords, rate limits and the audit log. Knows no puzzle."""
