"""The minimum-candidates search on arrays: the cell with the fewest candidates first. Propagates nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .bits import count_ones, trailing_zeros
from .houses import Mask, candidates, take_givens, toggle

Digits = NDArray[np.uint8]


@kernel
def search(
    givens: Digits, limit: int, most_nodes: int, out: NDArray[np.uint8], out_tree: NDArray[np.int64]
) -> tuple[int, int]:
    """Count the solutions of uint8[81] `givens` up to `limit`; the first ones go to uint8[k, 81] `out`.

    A node is a layout of the decision tree, including the original, dead and final ones. Each node, parents
    before children, writes its blanks m, the fewest candidates n of any, and the cell and digit that led to
    it (-1 and 0 for the original one) to int64[j, 4] `out_tree`; those beyond the j-th are only counted. m =
    0 is a final layout, n = 0 with m > 0 a dead one. Ties go to the lowest cell, digits from 1 on. Returns
    (solutions, nodes); nodes is most_nodes + 1 if that limit stopped the search.
    """
    digits = givens.copy()
    taken = np.zeros(27, np.int64)
    if not take_givens(givens, taken):
        return 0, 0
    path = np.zeros(81, np.int64)  # the cells filled, in order
    untried: NDArray[Any] = np.zeros(81, np.int64)  # their untried digits
    blanks = np.flatnonzero(digits == 0)  # unordered during the search
    left = len(blanks)
    found, nodes, depth = 0, 0, 0
    while True:
        nodes += 1
        if nodes > most_nodes:
            break
        best, fewest = -1, 0 if left == 0 else 10
        choices: Mask = np.int64(0)
        for place in range(left):
            cell = blanks[place]
            open_digits = candidates(cell, taken)
            count = count_ones(open_digits)
            if count < fewest or (count == fewest and cell < blanks[best]):
                best, fewest, choices = place, count, open_digits
        if nodes <= len(out_tree):
            out_tree[nodes - 1, 0] = left
            out_tree[nodes - 1, 1] = fewest
            out_tree[nodes - 1, 2] = -1 if depth == 0 else path[depth - 1]
            out_tree[nodes - 1, 3] = 0 if depth == 0 else digits[path[depth - 1]]
        if left == 0:
            if found < len(out):
                for cell in range(81):
                    out[found, cell] = digits[cell]
            found += 1
            if found >= limit:
                break
        elif fewest > 0:
            left -= 1
            path[depth] = blanks[best]
            blanks[best], blanks[left] = blanks[left], blanks[best]
            untried[depth] = choices
            depth += 1
        # Back to the last cell with an untried digit.
        while depth > 0:
            cell = path[depth - 1]
            digit: Mask = np.int64(digits[cell])
            if digit != 0:
                toggle(cell, 1 << digit, taken)
                digits[cell] = 0
            if untried[depth - 1] != 0:
                break
            depth -= 1
            left += 1
        if depth == 0:
            break
        digit = trailing_zeros(untried[depth - 1])
        untried[depth - 1] &= untried[depth - 1] - 1
        digits[cell] = digit
        toggle(cell, 1 << digit, taken)
    return found, nodes
