"""Ninefold: solve, count, rate, explain, generate and draw Sudoku puzzles.

This folder is what the distribution installs as `ninefold`: the front door of `engine` and nothing else. The
repository itself imports `engine`.
"""

from engine import *  # noqa: F403
from engine import __all__ as __all__
from engine import __version__ as __version__
