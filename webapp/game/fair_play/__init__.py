"""Six rules that assess from the move log how a solve came about. Pure."""
