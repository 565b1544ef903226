"""Fix sole possibilities in rounds, then backtrack with a stack, on arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .bits import trailing_zeros
from .depth_first import backtrack
from .houses import Mask, candidates, take_givens, toggle

Digits = NDArray[np.uint8]
Masks = NDArray[np.int64]


@kernel
def fix_rounds(out_digits: Digits, out_taken: Masks, out_possible: Masks) -> tuple[int, bool]:
    """Fill in cells of `out_digits`, uint8[81], with a single possibility, until nothing changes.

    A round first computes the possibilities of every open cell in int64[81] `out_possible`, then fixes the
    cells with one. out_taken: int64[27], the digits in each house, kept up to date. Returns (rounds, whether
    there was no contradiction). Ends with the round that fills the last cell, or with one that fixes nothing.
    """
    rounds = 0
    while True:
        rounds += 1
        for cell in range(81):
            if out_digits[cell] == 0:
                out_possible[cell] = candidates(cell, out_taken)
                if out_possible[cell] == 0:
                    return rounds, False
        fixed, left = False, False
        for cell in range(81):
            possible: Mask = out_possible[cell]
            if out_digits[cell] != 0:
                continue
            if possible & (possible - 1) == 0:
                if candidates(cell, out_taken) & possible == 0:
                    return rounds, False  # a peer got the digit in the same round
                out_digits[cell] = trailing_zeros(possible)
                toggle(cell, possible, out_taken)
                fixed = True
            else:
                left = True
        if not (fixed and left):
            return rounds, True


@kernel
def search(givens: Digits, limit: int, most_nodes: int, out: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """Count the solutions of uint8[81] `givens` up to `limit`; the first ones go to uint8[k, 81] `out`.

    A node is a digit written by the backtracking that no house forbids. Returns (solutions, nodes, rounds,
    cells left open by the rounds); nodes is most_nodes + 1 if that limit stopped the search.
    """
    digits = givens.copy()
    taken, possible = np.zeros(27, np.int64), np.zeros(81, np.int64)
    if not take_givens(givens, taken):
        return 0, 0, 0, 0
    rounds, consistent = fix_rounds(digits, taken, possible)
    review = int(np.count_nonzero(digits == 0))  # the cells on the stack, by the paper's name
    if not consistent:
        return 0, 0, rounds, review
    found, nodes = backtrack(digits, taken, possible, limit, most_nodes, out)
    return found, nodes, rounds, review
