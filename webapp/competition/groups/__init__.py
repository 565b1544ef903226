"""Groups: leaderboards among friends."""
