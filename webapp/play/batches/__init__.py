"""What makes a batch of moves cheap: games this process remembers, and statements that store moves."""
