"""How long `all_steps` takes at present: processor time on one core, at positions on the way to a solution.

The 100 hardest puzzles of rated_random up to ER 9.0, and of all steps that their paths of logic take every
twentieth: the position before it. The best of three turns each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from time import process_time

from benchmarks.rate import MOST_RATED, rows_of
from engine import Position, all_steps, parse, solve_path

MOST = 20  # milliseconds, asked

_PUZZLES = 100
_EVERY = 20
_TURNS = 3


def main() -> None:
    """Print the median, the 95th percentile and the most, and how many steps a position has."""
    folder = os.environ.get("NINEFOLD_DATA")
    if folder is None:
        print("All steps: NINEFOLD_DATA names no folder of shared sets, so there is nothing to measure")
        return
    rated = [row for row in rows_of(folder, "rated_random.csv") if float(row["se_er"]) <= MOST_RATED]
    hardest = sorted(rated, key=lambda row: -float(row["se_er"]))[:_PUZZLES]
    positions = [*islice(_on_the_way(row["puzzle"] for row in hardest), 0, None, _EVERY)]
    counts = sorted(len(all_steps(position)) for position in positions)
    spent = sorted(min(_milliseconds(position) for _ in range(_TURNS)) for position in positions)
    median, late = len(spent) // 2, int(0.95 * len(spent))
    print(
        f"all_steps at {len(spent)} positions up to ER {MOST_RATED}, load {os.getloadavg()[0]:.1f}:"
        f" {spent[median]:.1f} ms at the median, {spent[late]:.1f} at the 95th percentile (at most {MOST}),"
        f" {spent[-1]:.1f} at most; {counts[median]} steps at the median"
    )


def _on_the_way(puzzles: Iterator[str]) -> Iterator[Position]:
    for puzzle in puzzles:
        position = Position.from_grid(parse(puzzle))
        for step in solve_path(position).steps:
            yield position
            position = position.after(step)


def _milliseconds(position: Position) -> float:
    before = process_time()
    all_steps(position)
    return 1000 * (process_time() - before)
