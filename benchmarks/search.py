"""Solving and generating beside rivals in one run: the ratio is what no slow or busy machine changes.

One core is measured in processor time, ours and each rival's in turns, and the median of the turns' ratios is
printed with their range. Our figure runs from array to array; a rival's start is measured on a single puzzle
and taken off. QQWing and what NINEFOLD_PEERS names (benchmarks/peers.py) are the rivals.
Two cores are measured by the clock, which asks for a machine with nothing else to do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import beyond_start, in_turns, peers, seconds, told
from benchmarks.puzzles import collection
from engine import Recipe, generate, solve_many

Puzzles = NDArray[np.uint8]

# (set, at least, the aim): how many times QQWing's throughput.
SETS = (
    ("clues17.txt", 36, 43),
    ("top1465.txt", 30, 50),
    ("hardest1905_sample.txt", 36, 61),
    ("hardest1106.txt", 34, 85),
)
GENERATE = (35, 60)
TWO_CORES = (1.8, 1.95)

_TURNS = 5
_LEAST_SECONDS = 0.2  # a turn of ours repeats its set until it has worked this long


def main() -> None:
    """Print throughput and ratios of every set, of generating, and of two cores against one."""
    rivals = peers("solve")
    load = os.getloadavg()[0]
    print(f"Search: medians of {_TURNS} turns, ours and the rivals'; load of the machine {load:.1f}")
    if "qqwing" not in rivals:
        print("  qqwing is not installed (Debian and Ubuntu: apt install qqwing), so there is no ratio to it")
    puzzles: dict[str, Puzzles] = {}
    for name, least, aim in SETS:
        title, rows = collection(name)
        puzzles[title] = rows
        lines = ["".join(".123456789"[digit] for digit in row) for row in rows]  # zeros stop tdoku at once
        solving = {rival: partial(beyond_start, command, lines) for rival, command in rivals.items()}
        _report(title, least, aim, len(rows), partial(_solved, rows), solving)
        if title != Path(name).stem:
            print("  (NINEFOLD_DATA names no folder of shared sets)")
            break
    making = {"qqwing": partial(_qqwing_generates, rivals["qqwing"][0])} if "qqwing" in rivals else {}
    _report("minimal puzzles made", *GENERATE, 1, _generated, making)
    for title, rows in puzzles.items():
        one, two = _cores(rows)
        print(f"  two cores against one, {title:24}{median(one) / median(two):>6.2f} times", end="")
        print(f"   (at least {TWO_CORES[0]}, the aim {TWO_CORES[1]})")


def _report(
    title: str,
    least: float,
    aim: float,
    jobs: int,
    ours: Callable[[], float],
    theirs: Mapping[str, Callable[[], float]],
) -> None:
    """Our line and one a rival: each function answers the seconds that one time through the `jobs` takes."""
    ours()
    mine, others = in_turns(_TURNS, ours, [*theirs.values()])
    print(f"  {title:24}{jobs / median(mine):>11,.0f} /s", flush=True)
    for name, spent in zip(theirs, others, strict=True):
        wanted = f"   (at least {least}, the aim {aim})" if name == "qqwing" else ""
        print(f"    {told(name, jobs, mine, spent)}{wanted}", flush=True)


def _solved(rows: Puzzles) -> float:
    """Processor seconds that solving all rows, each proven to have one solution, takes on one core."""
    times, start = 0, process_time()
    while (spent := process_time() - start) < _LEAST_SECONDS:
        _, counts = solve_many(rows)
        if (counts != 1).any():
            raise RuntimeError("a puzzle of the set has not exactly one solution")
        times += 1
    return spent / times


def _generated(at_once: int = 1_000) -> float:
    """Processor seconds a minimal puzzle takes."""
    recipe, start = Recipe(minimal=True), process_time()
    for seed in range(at_once):
        generate(recipe, seed)
    return (process_time() - start) / at_once


def _qqwing_generates(qqwing: str, at_once: int = 200) -> float:
    command = [qqwing, "--one-line", "--generate"]
    return (seconds([*command, str(at_once)]) - seconds([*command, "1"])) / (at_once - 1)


def _cores(rows: Puzzles) -> tuple[list[float], list[float]]:
    """Seconds by the clock for the same batch on one core and on two, in turns."""
    start = perf_counter()
    solve_many(rows)
    rows = np.tile(rows, (int(_LEAST_SECONDS / (perf_counter() - start)) + 1, 1))
    one: list[float] = []
    two: list[float] = []
    for _ in range(_TURNS):
        for jobs, spent in ((1, one), (2, two)):
            start = perf_counter()
            solve_many(rows, jobs=jobs)
            spent.append(perf_counter() - start)
    return one, two
