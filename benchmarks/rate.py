"""Rating a puzzle, and a hint on the way: beside what HoDoKu and the Sukaku Explainer take for the same.

Processor time on one core, after a first puzzle. The rivals' figures stand with the shared sets; those that
NINEFOLD_PEERS names (benchmarks/peers.py) are measured in the same run.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from statistics import fmean, median
from time import process_time

from benchmarks.peers import beyond_start, in_turns, peers, told
from engine import Grid, Position, choices, parse, rate

# (set, HoDoKu in Java, Sukaku Explainer, at least, the aim): mean milliseconds a puzzle; every how many rows.
SETS = (
    ("rated_random.csv", 3.3, 30, 2, 0.7, 3),
    ("rated_by_level.csv", 47, 196, 25, 10, 10),
)
EXPLAINER = ("explainer", "explainer_pearl", "explainer_diamond")
# Milliseconds asked, means of the best of several rounds: (set, every how many rows, what, schemes, asked).
ASKED = (
    ("rated_random.csv", 20, "Explainer alone", EXPLAINER, 0.12),
    ("rated_random.csv", 20, "all by default", "default", 0.5),
    ("rated_by_level.csv", 60, "Explainer alone", EXPLAINER, 4),
    ("rated_by_level.csv", 60, "all by default", "default", 12),
)
HINT = (50, 10)  # milliseconds at the 99th percentile, at least and the aim
MOST_RATED = 9.0  # the highest ER of a puzzle that hints are measured on

_TURNS = 3
_ROUNDS = 6
_HINTED = 30  # every how many rows of the last set


def main() -> None:
    """Print the mean time to rate a puzzle of each set, and how long hints take."""
    folder = os.environ.get("NINEFOLD_DATA")
    if folder is None:
        print("Rating: NINEFOLD_DATA names no folder of shared sets, so there is nothing to measure")
        return
    print(f"Rating on one core, load of the machine {os.getloadavg()[0]:.1f}")
    for name, hodoku, explainer, least, aim, every in SETS:
        grids = [parse(row["puzzle"]) for row in rows_of(folder, name)[::every]]
        spent = list(_rated(grids))
        lines = [str(grid) for grid in grids]
        print(
            f"  {Path(name).stem:16}{len(grids):>6,} puzzles {1000 * sum(spent) / len(spent):>6.2f} ms mean,"
            f" {1000 * max(spent):,.0f} at most; HoDoKu {hodoku}, Explainer {explainer}"
            f"   (at least {least}, the aim {aim})"
        )
        rivals = {rival: partial(beyond_start, command, lines) for rival, command in peers("rate").items()}
        mine, others = in_turns(_TURNS if rivals else 0, partial(_all_rated, grids), [*rivals.values()])
        for rival, seconds in zip(rivals, others, strict=True):
            print(f"    {told(rival, len(grids), mine, seconds)}", flush=True)
    for name, every, what, schemes, asked in ASKED:
        grids = [parse(row["puzzle"]) for row in rows_of(folder, name)[::every]]
        rounds = [list(_rated(grids, schemes)) for _ in range(_ROUNDS)]
        best = [1000 * min(each) for each in zip(*rounds, strict=True)]
        print(
            f"  {Path(name).stem:16}{len(grids):>6,} puzzles {fmean(best):>6.3f} ms mean, {median(best):.3f}"
            f" median of the best of {_ROUNDS} rounds; {what}   (asked {asked})",
            flush=True,
        )
    rows = [row for row in rows_of(folder, name)[::_HINTED] if float(row["se_er"]) <= MOST_RATED]
    hints = sorted(spent for row in rows for spent in _hinted(parse(row["puzzle"])))
    half, last = (1000 * hints[int(share * len(hints))] for share in (0.5, 0.99))
    print(f"  hints on {len(hints):,} positions up to ER {MOST_RATED}: {half:.2f} ms at the median,", end=" ")
    print(f"{last:.1f} at the 99th percentile, {1000 * hints[-1]:.0f} at most", end=" ")
    print(f"  (at least {HINT[0]}, the aim {HINT[1]})")


def rows_of(folder: str, name: str) -> list[dict[str, str]]:
    with (Path(folder) / name).open() as file:
        return list(csv.DictReader(file))


def _rated(grids: list[Grid], schemes: str | tuple[str, ...] = "default") -> Iterable[float]:
    """Seconds that the rating of each grid takes."""
    rate(grids[0], schemes=schemes)
    for grid in grids:
        start = process_time()
        rate(grid, schemes=schemes)
        yield process_time() - start


def _all_rated(grids: list[Grid]) -> float:
    return sum(_rated(grids))


def _hinted(grid: Grid) -> Iterable[float]:
    """Seconds that the hint of each position takes on the way that hints go."""
    position = Position.from_grid(grid)
    steps = choices(position) if position.unique else []
    while steps:
        position = position.after(steps[0])
        start = process_time()
        steps = choices(position)
        yield process_time() - start
