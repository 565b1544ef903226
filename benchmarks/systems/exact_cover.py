"""Figures of system C: evasiu's article."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from time import process_time

import numpy as np

from benchmarks.systems.common import Counting, Row, dig_with, trials
from engine import Grid
from engine.generation.dig import Order, dig, drawn_groups
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.generation.symmetry import Symmetry
from engine.kernels.rng import seeded


def exact_cover() -> Iterator[Row]:
    """C: evasiu's article."""
    for own, amount in ((True, trials(200)), (False, trials(1000))):
        holes, calls = [], 0
        start = process_time()
        for seed in range(amount):
            state = seeded(seed)
            solution = SOLVED_GRIDS["linked_boxes"](state)
            groups = drawn_groups(Order.RANDOM, Symmetry.NONE, state)
            if own:
                searcher = Counting("dancing_links")
                holes.append(81 - dig_with(searcher, Grid(solution.tobytes()), groups).givens)
                calls = max(calls, searcher.calls)
            else:
                holes.append(81 - int(np.count_nonzero(dig(solution, groups))))
        spent = 1000 * (process_time() - start) / amount
        by = "dancing_links" if own else "bitboard"
        key = "" if own else "-bitboard"
        ours = (
            f"{max(holes)}; {fmean(holes):.1f} on average; more than 59 in {sum(hole > 59 for hole in holes)}"
        )
        published = "59; mostly over 50" if own else "-"
        yield Row(f"holes{key}", f"most holes dug in a random order, by {by}", published, ours, amount)
        yield Row(f"time{key}", f"mean time a puzzle, by {by}", "-", f"{spent:.2f} ms", amount)
        if own:
            what = "searches a puzzle, at most: 81 cells, each tried once with eight other digits"
            yield Row("searches", what, "81 x O(f(n))", f"{calls}", amount)
