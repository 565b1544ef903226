"""Tables of what players learn: exercises, practice cards, ratings."""
