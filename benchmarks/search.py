"""Solving and generating beside QQWing in one run: the ratio is what no slow or busy machine changes.

One core is measured in processor time, ours and QQWing's in turns, and the median of the turns' ratios is
printed. Our figure runs from array to array; QQWing's start is measured on a single puzzle and taken off.
Two cores are measured by the clock, which asks for a machine with nothing else to do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

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
    """Print throughput and ratio of every set, of generating, and of two cores against one."""
    qqwing = shutil.which("qqwing")
    load = os.getloadavg()[0]
    print(f"Search: medians of {_TURNS} turns, ours and QQWing's; load of the machine {load:.1f}")
    if qqwing is None:
        print("  qqwing is not installed (Debian and Ubuntu: apt install qqwing), so there are no ratios")
    puzzles: dict[str, Puzzles] = {}
    for name, least, aim in SETS:
        title, rows = collection(name)
        puzzles[title] = rows
        _report(title, least, aim, len(rows), partial(_solved, rows), _qqwing_solves(qqwing, rows))
        if title != Path(name).stem:
            print("  (NINEFOLD_DATA names no folder of shared sets)")
            break
    _report("minimal puzzles made", *GENERATE, 1, _generated, _qqwing_generates(qqwing))
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
    theirs: Callable[[], float] | None,
) -> None:
    """One line: `ours` and `theirs` answer the seconds that one time through the `jobs` of a set takes."""
    ours()
    turns = [(ours(), theirs() if theirs else float("nan")) for _ in range(_TURNS)]
    rate = jobs / median(mine for mine, _ in turns)
    print(f"  {title:24}{rate:>11,.0f} /s", end="", flush=True)
    if theirs is None:
        print()
        return
    rival = jobs / median(their for _, their in turns)
    ratio = median(their / mine for mine, their in turns)
    print(f"   qqwing {rival:>9,.0f} /s   {ratio:>6.1f} times   (at least {least}, the aim {aim})")


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


def _qqwing_solves(qqwing: str | None, rows: Puzzles) -> Callable[[], float] | None:
    if qqwing is None:
        return None
    lines = ["".join(map(str, row)) + "\n" for row in rows]
    command = [qqwing, "--solve", "--one-line"]
    return lambda: _seconds(command, "".join(lines)) - _seconds(command, lines[0])


def _qqwing_generates(qqwing: str | None, at_once: int = 200) -> Callable[[], float] | None:
    if qqwing is None:
        return None
    command = [qqwing, "--one-line", "--generate"]
    return lambda: (_seconds([*command, str(at_once)]) - _seconds([*command, "1"])) / (at_once - 1)


def _seconds(command: list[str], given: str = "") -> float:
    """Processor seconds of one run of `command`."""
    with tempfile.TemporaryFile("w+") as text:
        text.write(given)
        text.seek(0)
        process = subprocess.Popen(command, stdin=text, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[0]} ended with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def _cores(rows: Puzzles) -> tuple[list[float], list[float]]:
    """Seconds by the clock for the same batch on one core and on two, in turns."""
    start = perf_counter()
    solve_many(rows)
    rows = np.tile(rows, (int(_LEAST_SECONDS / (perf_counter() - start)) + 1, 1))
    one: list[float] = []
    two: list[float] = []
    for _ in range(_TURNS):
        for jobs, seconds in ((1, one), (2, two)):
            start = perf_counter()
            solve_many(rows, jobs=jobs)
            seconds.append(perf_counter() - start)
    return one, two
