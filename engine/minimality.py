"""Whether every given of a puzzle is needed."""

from __future__ import annotations

import numpy as np

from engine.arguments import instance
from engine.errors import NotUniqueError
from engine.grid import Grid
from engine.kernels import bitboard, minimality
from engine.search.bitboard import solution_count


def spare_givens(grid: Grid) -> tuple[int, ...]:
    """The cells whose given alone could be left out with the solution still the only one, ascending.

    The grid must have exactly one solution.
    """
    out = np.zeros(81, np.bool_)
    minimality.spare_givens(grid.array(), bitboard.workspace(), out)
    return tuple(int(cell) for cell in np.flatnonzero(out))


def is_minimal(grid: Grid) -> bool:
    """Whether no given of a grid with exactly one solution can be spared.

    Raises NotUniqueError where it has none or several: the question has no meaning there.
    """
    instance("grid", grid, Grid)
    if (count := solution_count(grid)) != 1:
        raise NotUniqueError("several" if count else "none")
    return not spare_givens(grid)
