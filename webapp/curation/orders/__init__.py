"""Orders for new puzzles, and the stock that they fill."""
