"""The drawing table: puzzles made by hand, or half by hand."""
