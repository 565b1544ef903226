"""Which givens a puzzle could spare, on arrays. Digs nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bitboard import UNBOUNDED, Digits, Words, ban, search, start


@kernel
def spare_givens(puzzle: Digits, stack: Words, out: NDArray[np.bool_]) -> int:
    """Mark in bool[81] `out` each given of uint8[81] `puzzle` without which no new solution comes; how many.

    The puzzle must have exactly one solution. stack: `kernels.bitboard.workspace()`, overwritten.
    """
    nothing = np.empty((0, 81), np.uint8)
    without = puzzle.copy()
    spare = 0
    for cell in range(81):
        out[cell] = False
        if puzzle[cell] != 0:
            without[cell] = 0
            start(without, stack[0])
            ban(cell, puzzle[cell], stack[0])
            if search(1, UNBOUNDED, stack, nothing)[0] == 0:
                out[cell] = True
                spare += 1
            without[cell] = puzzle[cell]
    return spare
