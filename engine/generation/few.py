"""Puzzles of so few givens that digging hardly ever comes to them: two givens make room for one, and again.

Digging at random ends at 24 givens on average and at 20 once in a million puzzles. But a puzzle of 21 without
two of its givens has some hundred solutions, and a digit that a single one of them has in its cell makes a
puzzle of 20. Where no two givens will do, one makes room for another: so the search goes on from puzzle to
puzzle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels import bitboard
from engine.kernels.fewer import fewer

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

MOST_EXCHANGES: Final = 100  # of one given for another: some seconds; 19 givens took ten puzzles 47 at most
MOST_SOLUTIONS: Final = 600  # that are looked through; two givens that leave more stay


def reduced(
    state: State, puzzle: Digits, fewest: int, most: int, exchanges: int, stop: Callable[[], bool]
) -> Digits:
    """A fresh uint8[81] puzzle with at most `most` givens; with more where `exchanges` do not lead there.

    puzzle: with one solution.  fewest: givens that stay.  stop: asked before each exchange.
    """
    out = puzzle.copy()
    stack, solutions = bitboard.workspace(), np.empty((MOST_SOLUTIONS, 81), np.uint8)
    for _ in range(exchanges):
        if stop() or not fewer(state, fewest, most, solutions, stack, out):
            break
    return out
