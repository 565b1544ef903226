"""What is out now, and what waits for a person."""
