"""Digging: emptying cells of a puzzle while its solution stays the only one. Draws nothing at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bitboard import UNBOUNDED, Digits, Words, ban, search, start


@kernel
def dig(
    solution: Digits,
    order: NDArray[np.int64],
    fewest: int,
    fewest_in_line: int,
    stack: Words,
    out: Digits,
) -> int:
    """Empty cells of the puzzle `out`, each tried at most once and none refilled; returns the givens left.

    solution: uint8[81], a full grid. out: uint8[81], the puzzle to dig, at first often the solution itself;
    its only solution must be `solution`, and stays so.
    order: int64[n, k] cells 0..80; the cells of one row are emptied together or not at all, -1 fills up short
    rows, cells that are empty already are passed over. For single cells reshape(-1, 1).
    fewest: givens that stay at least; fewest_in_line: givens that stay at least in every row and column.
    stack: `kernels.bitboard.workspace()`, overwritten.

    Uniqueness by contradiction: another solution differs from ours in an emptied cell, so each of these in
    turn is denied its digit, those before it holding theirs, and any solution found means the cell must stay.
    """
    in_row, in_column = np.zeros(9, np.int64), np.zeros(9, np.int64)
    left = 0
    for cell in range(81):
        if out[cell] != 0:
            in_row[cell // 9] += 1
            in_column[cell % 9] += 1
            left += 1
    nothing = np.empty((0, 81), np.uint8)
    taken = np.empty(order.shape[1], np.int64)
    for group in range(len(order)):
        count = 0
        for cell in order[group]:
            if cell >= 0 and out[cell] != 0:
                out[cell] = 0
                in_row[cell // 9] -= 1
                in_column[cell % 9] -= 1
                taken[count] = cell
                count += 1
        needed = left - count < fewest
        for index in range(count):
            cell = taken[index]
            needed |= in_row[cell // 9] < fewest_in_line or in_column[cell % 9] < fewest_in_line
        for index in range(count):
            cell = taken[index]
            if not needed:
                start(out, stack[0])
                ban(cell, solution[cell], stack[0])
                needed = search(1, UNBOUNDED, stack, nothing)[0] > 0
            out[cell] = solution[cell]
        for index in range(count):
            cell = taken[index]
            if needed:
                in_row[cell // 9] += 1
                in_column[cell % 9] += 1
            else:
                out[cell] = 0
                left -= 1
    return left
