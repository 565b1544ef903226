"""Fair play: the orders in which players filled a day's games, to detect copies."""
