"""Whether a puzzle has no solution, one or several, and whether it needs all its givens."""

from __future__ import annotations

import numpy as np

from .errors import NotUniqueError
from .given import Given, grid_of
from .kernels import bitboard, minimality
from .search.bitboard import solution_count
from .verdicts import Verdict


def verdict(grid: Given) -> Verdict:
    """Return whether `grid` has no, one or several solutions; NONE if its givens break the rules.

    For a Position, how many its candidates allow.

    >>> from engine import parse, verdict
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> verdict(grid)
    <Verdict.UNIQUE: 'unique'>
    """
    return (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)[solution_count(grid)]


def is_minimal(grid: Given) -> bool:
    """Whether no given of a grid with exactly one solution is redundant.

    Raises NotUniqueError if it has none or several.

    >>> from engine import is_minimal, parse
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> is_minimal(grid)
    False
    """
    grid = grid_of("grid", grid)
    if (count := solution_count(grid)) != 1:
        raise NotUniqueError("several" if count else "none")
    return not minimality.spare_givens(grid.array(), bitboard.workspace(), np.empty(81, np.bool_))
