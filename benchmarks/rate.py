"""Rating a puzzle, and a hint on the way, beside programs that rate: `python -m benchmarks rate`.

Processor time on one core, after a first puzzle, ours and each rival's in alternation (benchmarks/peers.py).
Ours gives the ratings of all schemes; HoDoKu and its port a level and a score, the Explainer ER, EP and ED.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from statistics import fmean, median
from time import process_time

from benchmarks.peers import beside, beyond_start, ratio
from benchmarks.puzzles import collection
from benchmarks.tables import Table, sized
from engine import Grid, Position, choices, parse, rate

SETS = ("rated_random", "rated_by_level")
EXPLAINER = ("explainer", "explainer_pearl", "explainer_diamond")
MOST_RATED = 9.0  # the highest ER of a puzzle that hints are measured on
TURNS = sized("TURNS", 3)
ROUNDS = sized("ROUNDS", 6)
HINTED = sized("HINTED", 100, 1)


def main() -> None:
    """Print the mean time to rate a puzzle of each set, and the times of hints."""
    sets = [puzzles(name, "PUZZLES", 150) for name in SETS]
    table = Table(("set", "rival"), ("built", "puzzles", "ms a puzzle", "times ours"))
    for name, grids in sets:
        lines = [str(grid) for grid in grids]
        mine, others = beside("rate", TURNS, partial(_all, grids), partial(beyond_start, lines=lines))
        table.row(name, "ours", "", len(grids), f"{1000 * median(mine) / len(grids):.2f}", "")
        for rival, built, spent in others:
            each = f"{1000 * median(spent) / len(grids):.2f}"
            table.row(name, rival, built, len(grids), each, ratio(mine, spent))
    table = Table(("set", "schemes"), ("puzzles", "ms, mean", "ms, median"))
    for name, grids in sets:
        for title, schemes in (("the Explainer's", EXPLAINER), ("all by default", "default")):
            rounds = [list(_rated(grids, schemes)) for _ in range(ROUNDS)]
            best = [1000 * min(each) for each in zip(*rounds, strict=True)]
            table.row(name, title, len(grids), f"{fmean(best):.3f}", f"{median(best):.3f}")
    hints = sorted(spent for grid in sets[-1][1][:HINTED] for spent in _hinted(grid))
    table = Table(("set",), ("hints up to ER 9", "ms, median", "ms, 99 %", "ms, most"))
    middle, last = (f"{1000 * hints[int(share * len(hints))]:.2f}" for share in (0.5, 0.99))
    table.row(sets[-1][0], f"{len(hints):,}", middle, last, f"{1000 * hints[-1]:.0f}")


def puzzles(name: str, size: str, full: int) -> tuple[str, list[Grid]]:
    """Return that many puzzles of a rated set, evenly spaced, or minimal ones of ours if it is missing."""
    count = sized(size, full)
    folder = os.environ.get("NINEFOLD_DATA")
    if not folder:
        title, made = collection(name, count)
        return title, [Grid(row.tobytes()) for row in made]
    with (Path(folder) / f"{name}.csv").open() as file:
        lines = [row["puzzle"] for row in csv.DictReader(file)]
    return name, [parse(line) for line in lines[:: max(1, len(lines) // count)][:count]]


def _rated(grids: list[Grid], schemes: str | tuple[str, ...] = "default") -> Iterable[float]:
    """Time the rating of each grid."""
    rate(grids[0], schemes=schemes)
    for grid in grids:
        start = process_time()
        rate(grid, schemes=schemes)
        yield process_time() - start


def _all(grids: list[Grid]) -> float:
    return sum(_rated(grids))


def _hinted(grid: Grid) -> Iterable[float]:
    """Time the hint of each position on the path of hints."""
    if (rate(grid, schemes=("explainer",)).scores["explainer"] or 0.0) > MOST_RATED:
        return
    position = Position.from_grid(grid)
    steps = choices(position)
    while steps:
        position = position.after(steps[0])
        start = process_time()
        steps = choices(position)
        yield process_time() - start
