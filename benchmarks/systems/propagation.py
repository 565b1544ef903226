"""Figures of system E: Li, Wu."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from statistics import fmean
from time import process_time

from benchmarks.systems.common import Row, scaled, timed
from engine import SEARCHERS, Grid, Recipe, generate
from engine.search.propagation import propagated


def propagation() -> Iterator[Row]:
    """E: Li, Wu."""
    trials = scaled(300)
    for level, name in enumerate("ABC", start=1):
        grids = [generate(Recipe("propagation", paper_level=level), seed).grid for seed in range(trials)]
        after = [propagated(grid) for grid in grids]
        # The last round only finds that the grid is full; the paper does not count it.
        finished = [result.rounds - 1 for result in after if result.grid.full]
        rounds = f"{fmean(finished):.1f} on average, {max(finished)} at most" if finished else "none finished"
        published = "10 and more, of some puzzles"
        yield Row(
            f"rounds-{level}",
            f"rounds where they finish a puzzle of level {level}",
            published,
            rounds,
            trials,
        )
        ours = f"{100 * len(finished) / trials:.0f} %"
        yield Row(f"finished-{level}", f"share that rounds alone finish, level {level}", "some", ours, trials)
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
            trials,
        )
        for search in ("own", "ours"):
            few = scaled(30 if search == "own" else 300)
            recipe = Recipe("propagation", paper_level=level, search=search)
            spent = timed(partial(generate, recipe), few)
            by = "its own search" if search == "own" else "bitboard"
            key = f"making-{level}{'' if search == 'own' else '-ours'}"
            yield Row(
                key, f"mean time to make a puzzle of level {level}, {by}", "-", f"{1000 * spent:.2f} ms", few
            )


def _mean_seconds(key: str, grids: list[Grid]) -> float:
    search = SEARCHERS[key]
    search(grids[0])
    start = process_time()
    for grid in grids:
        search(grid)
    return (process_time() - start) / len(grids)
