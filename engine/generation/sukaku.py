"""Sukaku: puzzles of candidates alone, without a printed digit."""

from __future__ import annotations

import numpy as np

from engine.arguments import whole
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.grid import Grid
from engine.kernels.rng import seeded, shuffle
from engine.position import Position
from engine.search.bitboard import within

SOURCE = "uniform"  # of SOLVED_GRIDS


def generate_sukaku(seed: int, most: int | None = None) -> Position:
    """A puzzle of candidates with one solution; one seed gives one puzzle on every machine.

    Candidates are added to a solved grid in random order wherever the solution stays the only one, up to
    `most`, 81..729: the fewer, the easier. Without it none can be added to the puzzle, and hardly any is for
    people.
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
