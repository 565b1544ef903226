"""Fast batches of moves: games cached by the process, and the statements that store moves."""
