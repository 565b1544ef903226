"""Lessons, practice, player ratings and the analysis board: the engine as a teacher."""
