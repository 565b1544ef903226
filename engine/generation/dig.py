"""Digging holes in a solved grid: the orders, their grouping by symmetry, and the digging itself.

Source: Xue, Jiang, Li, operations 1 to 4. Each cell is tried once and none is refilled: a removal that gave a
second solution would still do so with more cells empty.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels import bitboard, digging
from ..kernels.rng import shuffle
from .symmetry import Symmetry

State = NDArray[np.uint64]
Groups = NDArray[np.int64]


class Order(Enum):
    """The order in which cells are tried (Xue, Jiang, Li, figure 4)."""

    LEFT_TO_RIGHT = "left_to_right"  # and from top to bottom
    SERPENTINE = "serpentine"  # the first row to the right, the next to the left
    INTERLACED = "interlaced"  # every second cell of the serpentine, a checkerboard, then the others
    RANDOM = "random"


_SERPENTINE: Final = tuple(
    9 * row + (8 - column if row % 2 else column) for row in range(9) for column in range(9)
)
_CELLS: Final = {
    Order.LEFT_TO_RIGHT: tuple(range(81)),
    Order.SERPENTINE: _SERPENTINE,
    Order.INTERLACED: _SERPENTINE[::2] + _SERPENTINE[1::2],
    Order.RANDOM: tuple(range(81)),
}


@cache
def groups_of(order: Order, symmetry: Symmetry) -> Groups:
    """Return int64[n, k]: the cells in order; each row holds the cells tied by symmetry, padded with -1.

    A row is at the place of its first cell. Cached, so treat it as read-only (not marked so: Numba would
    compile the digging twice); for Order.RANDOM the caller shuffles the rows.
    """
    rows = list(dict.fromkeys(symmetry.images(cell) for cell in _CELLS[order]))
    groups = np.full((len(rows), max(map(len, rows))), -1, np.int64)
    for row, cells in enumerate(rows):
        groups[row, : len(cells)] = cells
    return groups


def drawn_groups(order: Order, symmetry: Symmetry, state: State) -> Groups:
    """Return `groups_of`, shuffled for a random order, which mutates the random `state`."""
    groups = groups_of(order, symmetry)
    if order is not Order.RANDOM:
        return groups
    places = np.arange(len(groups))
    shuffle(state, places)
    return groups[places]


def dig(
    solution: NDArray[np.uint8],
    groups: Groups,
    fewest: int = 0,
    fewest_in_line: int = 0,
    fewest_in_box: int = 0,
) -> NDArray[np.uint8]:
    """Return a new uint8[81] puzzle with the unique solution uint8[81] `solution`, dug in the order of
    `groups`.

    At least `fewest` givens stay in all, `fewest_in_line` in a row or column and `fewest_in_box` in a box.
    """
    puzzle = solution.copy()
    digging.dig(solution, groups, fewest, fewest_in_line, fewest_in_box, bitboard.own_workspace(), puzzle)
    return puzzle
