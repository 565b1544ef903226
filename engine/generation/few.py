"""Puzzles with very few givens, which digging hardly ever reaches: repeatedly replace two givens by one.

Random digging ends at 24 givens on average, and at 20 once in a million puzzles. But a puzzle of 21 without
two of its givens has some hundred solutions, and a digit that only one of them has in its cell makes a puzzle
of 20. If no two givens can be replaced, one is exchanged for another, and the search continues from there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels import bitboard
from ..kernels.fewer import fewer

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

# Of one given for another: some seconds; 19 givens took at most 47 in ten puzzles
MOST_EXCHANGES: Final = 100
MOST_SOLUTIONS: Final = 600  # that are examined; two givens that leave more stay


def reduced(
    state: State, puzzle: Digits, fewest: int, most: int, exchanges: int, stop: Callable[[], bool]
) -> Digits:
    """Return a new uint8[81] puzzle with at most `most` givens, or more if `exchanges` don't suffice.

    puzzle: with one solution. fewest: lower limit of givens. stop: called before each exchange.
    """
    out = puzzle.copy()
    stack, solutions = bitboard.workspace(), np.empty((MOST_SOLUTIONS, 81), np.uint8)
    for _ in range(exchanges):
        if stop() or not fewer(state, fewest, most, solutions, stack, out):
            break
    return out
