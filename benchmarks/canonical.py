"""Canonical forms a second: of puzzles with one solution (solving included), and of full grids.

One core is measured in processor time, so that a busy machine does not slow it; two cores by the clock.
"""

from __future__ import annotations

from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks.puzzles import collection
from engine import Recipe, canonical_forms, generate, solve_many

FLOOR, AIM = 10_000, 32_000  # of puzzles with one solution, one core
_RUNS = 5

Puzzles = NDArray[np.uint8]


def main() -> None:
    """Print the best of five runs each."""
    print(f"Canonical forms a second, best of {_RUNS} runs; one core asked for: {FLOOR:,}, the aim {AIM:,}")
    name, puzzles = collection("clues17.txt")
    made = np.stack([generate(Recipe(minimal=True), seed).grid.array() for seed in range(5_000)])
    full = solve_many(made)[0]
    for title, rows in ((name, puzzles), ("minimal puzzles", made), ("full grids", full)):
        canonical_forms(rows[:8])
        processor, one = _rates(rows, jobs=1)
        _, two = _rates(rows, jobs=2)
        print(f"  {title:20}{processor:>10,.0f}   by the clock {one:>10,.0f}, on two cores {two:>10,.0f}")


def _rates(rows: Puzzles, jobs: int) -> tuple[float, float]:
    """Forms a second of processor time, and by the clock."""
    processor = clock = float("inf")
    for _ in range(_RUNS):
        start, spent = perf_counter(), process_time()
        canonical_forms(rows, jobs)
        clock = min(clock, perf_counter() - start)
        processor = min(processor, process_time() - spent)
    return len(rows) / processor, len(rows) / clock
