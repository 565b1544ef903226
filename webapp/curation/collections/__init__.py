"""Collections at the desk: their puzzles, order, publication date and audience."""
