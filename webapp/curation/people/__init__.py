"""Players as curators see them, and what curators tell them."""
