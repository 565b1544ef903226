"""The longest ratings there are: of the hardest puzzles known, where searches may go past their bounds.

Processor time on one core of every part of a rating. The bounds count work and not time, so a puzzle has
one answer on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import process_time
from typing import TypeVar

from benchmarks.puzzles import collection
from engine import Grid, Position, rate
from engine.rating import explainer, hodoku, weighted_rules
from engine.rating.rating import logic_order

R = TypeVar("R")

SETS = ("hardest1106.txt", "hardest1905_sample.txt", "top1465.txt")
MOST = 10  # seconds a rating may take

_PUZZLES = 50  # of each set, at even distances


def main() -> None:
    """Print for each set how long the ratings take, and what the longest spent its time on."""
    for name in SETS:
        title, rows = collection(name)
        print(
            f"Rating {_PUZZLES} of {title}, processor seconds on one core (at most {MOST} each)", flush=True
        )
        if title.endswith("ours"):
            print("  (NINEFOLD_DATA names no folder of shared sets)")
            return
        grids = [Grid.from_digits(row) for row in rows[:: len(rows) // _PUZZLES][:_PUZZLES]]
        spent = []
        gave_up = 0
        for grid in grids:
            seconds, rated = _timed(partial(rate, grid))
            spent.append(seconds)
            gave_up += bool(rated.gave_up)
        longest = max(range(len(grids)), key=spent.__getitem__)
        print(
            f"  {sum(spent) / len(spent):.2f} mean, {spent[longest]:.2f} at most; {gave_up} gave up a scheme"
        )
        position = Position.from_grid(grids[longest])
        orders = (explainer.order(), hodoku.order(), weighted_rules.order(), logic_order())
        parts = [_timed(partial(order.walk, position))[0] for order in orders]
        print(
            "  of the longest: explainer {:.2f}, hodoku {:.2f}, weighted rules {:.2f}, logic {:.2f}".format(
                *parts
            )
        )


def _timed(work: Callable[[], R]) -> tuple[float, R]:
    """Seconds, and what the work gave."""
    start = process_time()
    found = work()
    return process_time() - start, found
