"""Groups: players who compare themselves among friends."""
