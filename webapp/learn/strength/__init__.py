"""How strong players are and how hard puzzles: Glicko-2, where a game is one of a player against a puzzle."""
