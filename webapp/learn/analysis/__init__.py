"""The analysis board: any position, what follows from it, and what would if it were changed."""
