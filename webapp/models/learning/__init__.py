"""Tables for learning: exercises, practice cards, ratings."""
