"""Puzzles to order: milliseconds of processor time each takes, by the properties requested.

Every puzzle is rated again afterwards, outside the time, and counted only if it meets the order. `python -m
benchmarks orders` makes COUNT (20) for each order; each ends after MOST (60) seconds of processor time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from time import process_time

import numpy as np

from benchmarks.tables import Table, sized
from engine import Grid, OutOfTime, Rating, Recipe, RecipeError, generate, rate
from engine.generation.recipe import suits
from engine.generation.symmetry import ANY

TECHNIQUES = (
    *("pointing", "naked_triple", "swordfish", "xyz_wing", "xy_chain", "aic", "hidden_quad", "jellyfish"),
)
RATINGS = ((1.7, 2.3), (3.2, 3.8), (4.2, 4.8), (5.7, 6.3), (7.2, 7.8), (8.2, 8.8), (9.1, 9.4), (9.5, 10.0))
GIVENS = (18, 19, 20)
Order = tuple[str, Recipe]


def main() -> None:
    """Print a row an order."""
    count, most = sized("COUNT", 20), sized("MOST", 60)
    table = Table(("order", "trials"), ("met", "ms, median", "ms, 95 %", "ms, most"))
    for name, recipe in _orders():
        spent, met = _made(recipe, count, most)
        figures = (f"{float(np.percentile(spent, share)):,.1f}" for share in (50, 95, 100))
        table.row(name, count, met, *figures)


def _orders() -> Iterator[Order]:
    for level in range(1, 6):
        yield f"level {level}", Recipe(level=level, symmetry=ANY)
    for wanted in RATINGS:
        yield f"ER {wanted[0]} to {wanted[1]}", Recipe(er=wanted)
    for key in TECHNIQUES:
        yield f"hardest {key}", Recipe(hardest=key)
    yield "hardest xy_wing, half turn", Recipe(hardest="xy_wing", symmetry="half_turn")
    for givens in GIVENS:
        yield f"{givens} givens", Recipe(most_givens=givens)


def _made(recipe: Recipe, count: int, most: int) -> tuple[list[float], int]:
    """Return milliseconds for each of `count` seeds, and how many puzzles met the order in `most` seconds."""
    with suppress(RecipeError, OutOfTime):
        generate(recipe, -1, partial(_is_late, process_time(), most))  # loads the kernels
    spent, met = [], 0
    for seed in range(count):
        start = process_time()
        try:
            grid = generate(recipe, seed, partial(_is_late, start, most)).grid
        except (RecipeError, OutOfTime):
            continue
        finally:
            spent.append(1000 * (process_time() - start))
        met += _meets(recipe)(grid, rate(grid))
    return spent, met


def _is_late(start: float, most: int) -> bool:
    return process_time() - start > most


def _meets(recipe: Recipe) -> Callable[[Grid, Rating], bool]:
    if (level := recipe.level) is not None:
        return lambda grid, rating: rating.level == level and suits(grid, level)
    if recipe.er is not None:
        low, high = recipe.er
        return lambda _, rating: low <= (rating.scores["explainer"] or 0) <= high
    if recipe.hardest is not None:
        return lambda _, rating: rating.hardest == recipe.hardest
    return lambda grid, _: grid.givens <= (recipe.most_givens or 81)
