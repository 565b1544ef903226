"""Solving and generating beside rivals in one run: a slow or busy machine doesn't change the ratio.

One core is measured in processor time, ours and each rival's in alternation, and the median of the ratios is
printed with their range. Every solver proves that the solution is unique. Ours runs from array to array; a
rival's start is measured on a single puzzle and subtracted. Two cores are measured by the clock, on an
otherwise idle machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import beside, beyond_start, making, ratio
from benchmarks.puzzles import collection
from benchmarks.tables import SMALLEST, Table, sized
from engine import Recipe, generate, solve_many

Puzzles = NDArray[np.uint8]

SETS = ("clues17.txt", "top1465.txt", "hardest1905_sample.txt", "hardest1106.txt")
MADE = "minimal puzzles made"
TURNS = sized("TURNS", 5)
# Each measurement of ours repeats its set for at least this many seconds.
LEAST_SECONDS = 0.0 if SMALLEST else 0.2


def main() -> None:
    """Print the throughput of every set, of generating, and of two cores against one."""
    table = Table(("set", "rival"), ("built", "puzzles", "a second", "ours as many times"))
    puzzles: dict[str, Puzzles] = {}
    for name in SETS:
        title, rows = collection(name, sized("PUZZLES", 50_000, 20))
        puzzles[title] = rows
        lines = ["".join(".123456789"[digit] for digit in row) for row in rows]  # tdoku stops at a zero
        _beside(table, title, "solve", len(rows), partial(_solved, rows), partial(beyond_start, lines=lines))
        if title != Path(name).stem:
            break
    made = sized("MADE", 2_000, 2)
    _beside(table, MADE, "make", made, partial(_generated, made), lambda each: made * making(each, made))
    cores = Table(("set",), ("two cores against one, by the clock",))
    for title, rows in puzzles.items():
        one, two = _cores(rows)
        cores.row(title, f"{median(one) / median(two):.2f}")


def _beside(
    table: Table,
    title: str,
    task: str,
    jobs: int,
    ours: Callable[[], float],
    timed: Callable[[Sequence[str]], float],
) -> None:
    """Print our row and one a rival."""
    ours()
    mine, others = beside(task, TURNS, ours, timed)
    table.row(title, "ours", "", f"{jobs:,}", f"{jobs / median(mine):,.0f}", "")
    for name, built, spent in others:
        table.row(title, name, built, f"{jobs:,}", f"{jobs / median(spent):,.0f}", ratio(mine, spent))


def _solved(rows: Puzzles) -> float:
    """Time the solving of all rows on one core, with a proof that each solution is unique."""
    times, start = 0, process_time()
    while True:
        _, counts = solve_many(rows)
        if (counts != 1).any():
            raise RuntimeError("a puzzle of the set has not exactly one solution")
        times += 1
        if (spent := process_time() - start) >= LEAST_SECONDS:
            return max(spent, 1e-9) / times


def _generated(count: int) -> float:
    """Time the making of so many minimal puzzles."""
    recipe, start = Recipe(minimal=True), process_time()
    for seed in range(count):
        generate(recipe, seed)
    return process_time() - start


def _cores(rows: Puzzles) -> tuple[list[float], list[float]]:
    """Time the same batch by the clock on one core and on two, in alternation."""
    start = perf_counter()
    solve_many(rows)
    rows = np.tile(rows, (int(LEAST_SECONDS / (perf_counter() - start)) + 1, 1))
    one: list[float] = []
    two: list[float] = []
    for _ in range(TURNS):
        for jobs, spent in ((1, one), (2, two)):
            start = perf_counter()
            solve_many(rows, jobs=jobs)
            spent.append(perf_counter() - start)
    return one, two
