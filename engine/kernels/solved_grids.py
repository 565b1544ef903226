"""Solved grids on arrays: the random starts that a solver completes. See generation/solved_grids.py."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .bits import count_ones, whole
from .depth_first import search
from .rng import below, shuffle

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]


@kernel
def allowed_digits(digits: Digits, cell: int) -> np.int64:
    """Return the digits that the rules allow in a cell of uint8[81] `digits`, bit d for digit d, 1..9."""
    row, col = cell // 9, cell % 9
    corner = row // 3 * 27 + col // 3 * 3
    taken = np.int64(0)
    for place in range(9):
        taken |= 1 << np.int64(digits[9 * row + place])
        taken |= 1 << np.int64(digits[9 * place + col])
        taken |= 1 << np.int64(digits[corner + place // 3 * 9 + place % 3])
    return 1022 & ~taken


@kernel
def draw_layout(state: State, cells: int, out: Digits) -> bool:
    """Write a random digit to each of `cells` random cells of uint8[81] `out`; mutates the random `state`.

    The digit is one that the rules still allow; returns False if a cell has none.
    """
    order = np.arange(81)
    out[:] = 0
    shuffle(state, order)
    for place in range(cells):
        cell = order[place]
        allowed = allowed_digits(out, cell)
        count = count_ones(whole(allowed))
        if count == 0:
            return False
        chosen = below(state, count)
        for digit in range(1, 10):
            if allowed >> digit & 1:
                if chosen == 0:
                    out[cell] = digit
                    break
                chosen -= 1
    return True


@kernel
def las_vegas(state: State, cells: int, most_nodes: int, out: Digits) -> None:
    """Write the first random layout that `search` completes within `most_nodes` to uint8[1, 81] `out`."""
    layout = np.empty(81, np.uint8)
    while not draw_layout(state, cells, layout) or search(layout, 1, most_nodes, out)[0] == 0:
        pass
