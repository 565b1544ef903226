"""The rules of a game: moves, the resulting board, hints, and rules of fair play. Pure: no database."""
