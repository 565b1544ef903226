"""The rules of a game: moves, the resulting board, hints, and plausibility checks. Pure: no database."""
