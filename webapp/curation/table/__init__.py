"""The drawing table: puzzles designed by hand, or partly by hand."""
