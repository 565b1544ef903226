"""Sukaku: puzzles of candidates alone, without a printed digit."""

from __future__ import annotations

import numpy as np

from ..arguments import whole
from ..grid import Grid
from ..kernels.rng import seeded, shuffle
from ..position import Position
from ..search.bitboard import within
from .solved_grids import SOLVED_GRIDS

SOURCE = "uniform"  # of SOLVED_GRIDS


def generate_sukaku(seed: int, most: int | None = None) -> Position:
    """Return a puzzle of candidates with one solution; a seed gives the same puzzle on every machine.

    Candidates are added to a solved grid in random order as long as the solution stays unique, up to `most`,
    81..729: the fewer, the easier. By default none can be added to the result, which hardly any human can
    solve.

    >>> from engine import generate_sukaku, solution_count
    >>> solution_count(generate_sukaku(3))
    1
    """
    most = 729 if most is None else whole("most", most, 81, 729)
    state = seeded(whole("seed", seed))
    solution = SOLVED_GRIDS[SOURCE](state)
    masks = [1 << (digit - 1) for digit in solution.tolist()]
    order = np.arange(729)
    shuffle(state, order)
    left = most - 81
    for candidate in order.tolist():
        cell, digit = divmod(candidate, 9)
        if not left:
            break
        if masks[cell] >> digit & 1:
            continue
        left -= 1
        masks[cell] |= 1 << digit
        if len(within(masks).solutions) > 1:
            masks[cell] &= ~(1 << digit)
            left += 1
    nothing = Grid(bytes(81))
    return Position.from_marks(masks, nothing, nothing)
