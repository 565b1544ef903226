"""Whether every given of a puzzle is needed."""

from __future__ import annotations

import numpy as np

from .errors import NotUniqueError
from .given import Given, grid_of
from .kernels import bitboard, minimality
from .search.bitboard import solution_count


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
