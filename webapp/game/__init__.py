"""A puzzle in play: moves, the board they give, hints, and what makes a log plausible. Pure: no database."""
