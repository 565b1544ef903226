"""The order of placing, beside what needs no thought: sweeps over the board, the engine's path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from engine.geometry import BOX_OF, COL_OF
from webapp.game.evidence.leaps import way
from webapp.game.evidence.solve import Solve

NEAR = 2  # places by which a cell may be earlier or later in two orders that count as near there


def longest_run(solve: Solve) -> int:
    """The most digits in a row of which each went into the next empty cell of a sweep over the board.

    By rows, columns or boxes, either way. The last of a solve are left out: few cells are in order by chance.
    """
    sweeps: tuple[Callable[[int], tuple[int, int]], ...] = (
        lambda cell: (0, cell),
        lambda cell: (COL_OF[cell], cell),
        lambda cell: (BOX_OF[cell], cell),
    )
    return max(_run(solve.order, sorted(solve.order, key=place)) for place in sweeps)


def _run(order: Sequence[int], sweep: Sequence[int]) -> int:
    best = 0
    for line in (list(sweep), list(reversed(sweep))):
        left, run = list(line), 0
        for before, cell in pairwise(order):
            at = left.index(before)
            left.pop(at)
            run = run + 1 if at < len(left) and left[at] == cell else 0
            best = max(best, run)
    return best


def nearness(order: Sequence[int], other: Sequence[int]) -> float:
    """The share of the cells of both orders that have nearly the same place in them; 0 without any."""
    places = {cell: at for at, cell in enumerate(other)}
    shared = [abs(at - places[cell]) <= NEAR for at, cell in enumerate(order) if cell in places]
    return sum(shared) / len(shared) if shared else 0.0


def along_path(solve: Solve) -> float:
    """How near the order is to the engine's own, 0 to 1."""
    return nearness(solve.order, way(solve.givens).order)
