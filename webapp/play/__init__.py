"""Playing: games and their moves, hints on the page, entered puzzles, reviews."""
