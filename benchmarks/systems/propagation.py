"""Figures of system E: Li, Wu."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from statistics import fmean
from time import process_time

from benchmarks.systems.common import Row, timed, trials
from engine import SEARCHERS, Grid, Recipe, generate
from engine.search.propagation import propagated


def propagation() -> Iterator[Row]:
    """E: Li, Wu."""
    amount = trials(300)
    for level, name in enumerate("ABC", start=1):
        grids = [generate(Recipe("propagation", paper_level=level), seed).grid for seed in range(amount)]
        after = [propagated(grid) for grid in grids]
        finished = [result.rounds for result in after if result.grid.full]
        rounds = f"{fmean(finished):.1f} on average, {max(finished)} at most" if finished else "none finished"
        published = "10 and more, of some puzzles"
        yield Row(
            f"rounds-{level}",
            f"rounds where they finish a puzzle of level {level}",
            published,
            rounds,
            amount,
        )
        ours = f"{100 * len(finished) / amount:.0f} %"
        yield Row(f"finished-{level}", f"share that rounds alone finish, level {level}", "some", ours, amount)
        seconds = {key: _mean_seconds(key, grids) for key in ("propagation", "depth_first")}
        ours = (
            f"{1e6 * seconds['propagation']:.1f} microseconds with the rounds, "
            f"{1e6 * seconds['depth_first']:.1f} by backtracking alone"
        )
        yield Row(
            f"time-{level}",
            f"mean time to solve puzzles {name}",
            "A, B, C of different difficulty",
            ours,
            amount,
        )
        spent = timed(partial(generate, Recipe("propagation", paper_level=level)), amount)
        what = f"mean time to make a puzzle of level {level}, bitboard"
        yield Row(f"making-{level}", what, "-", f"{1000 * spent:.2f} ms", amount)


def _mean_seconds(key: str, grids: list[Grid]) -> float:
    search = SEARCHERS[key]
    search(grids[0])
    start = process_time()
    for grid in grids:
        search(grid)
    return (process_time() - start) / len(grids)
