"""Techniques that occur on no solution path of 1,500 generated puzzles, and the forcing nets.

Ratings, `find` and the library use them like all others; `Technique.rare` marks them, here and elsewhere.
"""
