"""What a move log says about how a solve came about: figures and a score. Pure."""
