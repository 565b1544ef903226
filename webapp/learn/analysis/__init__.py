"""The analysis board: any position, its possible steps, and changes to it."""
