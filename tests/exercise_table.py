"""The cost of exercises: seconds for 50 drills and 10 near misses of each technique.

`python -m tests.exercise_table [TECHNIQUE ...]` prints the rows of the table in docs/exercises.md.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import engine
from engine.errors import OutOfTime
from engine.generation.exercises import exercises, met_rarely, on_path
from engine.generation.near_misses import near_misses

DRILLS = 50
NEAR_MISSES = 10
PATIENCE = 10.0  # seconds for each of the two
HEADER = "| technique | tier | 50 drills | least | puzzles | 10 near misses |\n" + 6 * "| --- " + "|"


def taken(stream: Callable[..., Iterator[Any]], technique: str, most: int) -> tuple[list[Any], float]:
    """Take up to `most` of a stream. Returns them, and the seconds."""
    start = time.monotonic()
    found: list[Any] = []
    with suppress(OutOfTime):
        for each in stream(technique, seed=1, stop=lambda: time.monotonic() - start > PATIENCE):
            found.append(each)
            if len(found) == most:
                break
    return found, time.monotonic() - start


def row(technique: str) -> str:
    """Return the row of a technique."""
    on_path(technique, engine.generate(engine.Recipe(minimal=True), 1).grid)  # loads the compiled kernels
    drills, seconds = taken(exercises, technique, DRILLS)
    nearly, near_seconds = taken(near_misses, technique, NEAR_MISSES)
    least = sum(each.least for each in drills)
    kept = len(met_rarely().get(technique, ()))
    return (
        f"| {technique} | {engine.TECHNIQUES[technique].tier} | {len(drills)} in {seconds:.1f} s | {least} | "
        f"{kept or 'fresh'} | {len(nearly)} in {near_seconds:.1f} s |"
    )


if __name__ == "__main__":
    print(HEADER)
    for key in sys.argv[1:] or engine.TECHNIQUES:
        print(row(key), flush=True)
