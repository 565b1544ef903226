"""Progress in a race: the share of a puzzle filled in correctly, published so that it reveals no cell.

Others see tenths of the largest share that was ever correct. A bar that followed every digit would show, on a
second screen, whether the last digit is correct. This one does so at most nine times a game, and each time
requires the digits up to it.
"""

from __future__ import annotations

from collections.abc import Sequence

import engine

TENTHS = 10


def tenths(givens: Sequence[int], digits: Sequence[int]) -> int:
    """Return how many tenths of the cells to fill have their correct digit."""
    solution = engine.solution(engine.Grid(bytes(givens)))
    if solution is None:
        return 0
    empty = [cell for cell in range(81) if not givens[cell]]
    right = sum(digits[cell] == solution.digits[cell] for cell in empty)
    return TENTHS * right // max(1, len(empty))
