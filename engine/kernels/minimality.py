"""Find a puzzle's redundant givens, on arrays. Digs nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .bitboard import Digits, Words, ban, copy_layout, free, settle_two, solvable, start


@kernel
def spare_givens(puzzle: Digits, stack: Words, out: NDArray[np.bool_]) -> int:
    """Mark each redundant given of uint8[81] `puzzle` in bool[81] `out`; returns how many.

    The puzzle must have exactly one solution. stack: `kernels.bitboard.workspace()`, overwritten.
    """
    layout = np.empty(stack.shape[1], np.uint16)
    start(puzzle, layout)
    out[:] = False
    givens = np.flatnonzero(puzzle)
    spare = 0
    for first in range(0, len(givens), 2):
        last = min(first + 1, len(givens) - 1)
        for row in range(2):
            cell = givens[last if row else first]
            copy_layout(layout, stack[row])
            free(cell, stack[row])
            ban(cell, puzzle[cell], stack[row])
        states = settle_two(stack)
        for asked in range(first, last + 1):
            if not solvable(asked - first, states[asked - first], stack):
                out[givens[asked]] = True
                spare += 1
    return spare
