"""Canonical forms a second: of puzzles with one solution (solving included), and of full grids.

One core is measured in processor time, which other load on the machine doesn't change; two cores by the
clock.
"""

from __future__ import annotations

from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks.puzzles import collection
from benchmarks.tables import Table, sized
from engine import Recipe, canonical_forms, generate, solve_many

RUNS = sized("RUNS", 5)

Puzzles = NDArray[np.uint8]


def main() -> None:
    """Print the best of RUNS runs each."""
    name, puzzles = collection("clues17.txt", sized("PUZZLES", 50_000, 20))
    made = np.stack(
        [generate(Recipe(minimal=True), seed).grid.array() for seed in range(sized("MADE", 5_000, 2))]
    )
    full = solve_many(made)[0]
    table = Table(("set",), ("forms a second of one core", "by the clock", "on two cores"))
    for title, rows in ((name, puzzles), ("minimal puzzles", made), ("full grids", full)):
        canonical_forms(rows[:8])
        processor, one = _rates(rows, jobs=1)
        _, two = _rates(rows, jobs=2)
        table.row(title, f"{processor:,.0f}", f"{one:,.0f}", f"{two:,.0f}")


def _rates(rows: Puzzles, jobs: int) -> tuple[float, float]:
    """Count forms a second of processor time, and by the clock."""
    processor = clock = float("inf")
    for _ in range(RUNS):
        start, spent = perf_counter(), process_time()
        canonical_forms(rows, jobs)
        clock = min(clock, perf_counter() - start)
        processor = min(processor, max(process_time() - spent, 1e-9))
    return len(rows) / processor, len(rows) / clock
