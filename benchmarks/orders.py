"""Puzzles to order: milliseconds of processor time each takes, by the properties requested.

Every puzzle is rated again afterwards, outside the time, and counted only if it meets the order. `python -m
benchmarks orders` makes COUNT (40) for each order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time

import numpy as np

from benchmarks.tables import Table, sized
from engine import Grid, Rating, Recipe, RecipeError, generate, rate
from engine.generation.recipe import suits
from engine.generation.symmetry import ANY

TECHNIQUES = (
    "pointing",
    "naked_pair",
    "hidden_pair",
    "naked_triple",
    "hidden_triple",
    "x_wing",
    "swordfish",
    "xy_wing",
    "xyz_wing",
    "w_wing",
    "skyscraper",
    "unique_rectangle_1",
    "xy_chain",
    "aic",
)
RATINGS = (2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 7.8, 8.2, 8.5)
NEAR = 0.3

Order = tuple[str, Recipe]


def main() -> None:
    """Print a row an order."""
    count = sized("COUNT", 40)
    table = Table(("order",), ("met", "ms, median", "ms, 95 %", "ms, most"))
    for name, recipe in _orders():
        spent, met = _made(recipe, count)
        figures = (f"{float(np.percentile(spent, share)):,.1f}" for share in (50, 95, 100))
        table.row(name, f"{met} of {count}", *figures)


def _orders() -> Iterator[Order]:
    for level in range(1, 6):
        yield f"level {level}", Recipe(level=level, symmetry=ANY)
    for rating in RATINGS:
        wanted = round(rating - NEAR, 1), round(rating + NEAR, 1)
        yield f"ER {wanted[0]} to {wanted[1]}", Recipe(er=wanted)
    for key in TECHNIQUES:
        yield f"hardest {key}", Recipe(hardest=key)
    for key in TECHNIQUES:
        yield f"hardest {key}, half turn", Recipe(hardest=key, symmetry="half_turn")


def _made(recipe: Recipe, count: int) -> tuple[list[float], int]:
    """Return milliseconds for each of `count` seeds, and how many puzzles met the order."""
    generate(recipe, -1)  # loads the kernels
    spent, met = [], 0
    for seed in range(count):
        start = process_time()
        try:
            grid = generate(recipe, seed).grid
        except RecipeError as error:
            print(f"  {error}")
            continue
        finally:
            spent.append(1000 * (process_time() - start))
        met += _meets(recipe)(grid, rate(grid))
    return spent, met


def _meets(recipe: Recipe) -> Callable[[Grid, Rating], bool]:
    if (level := recipe.level) is not None:
        return lambda grid, rating: rating.level == level and suits(grid, level)
    if recipe.er is not None:
        low, high = recipe.er
        return lambda _, rating: low <= (rating.scores["explainer"] or 0) <= high
    return lambda _, rating: rating.hardest == recipe.hardest
