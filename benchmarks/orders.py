"""Puzzles to order: milliseconds of processor time each takes, by what is asked for.

Every puzzle is rated anew afterwards, outside the time, and counted only where it is what was asked for.
`python -m benchmarks orders 100` makes so many for each order (default 40).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from time import process_time

import numpy as np

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
RARE = (4.9, 5.1), (7.7, 7.9)  # requests that get more time
NEAR = 0.3

Order = tuple[str, Recipe, float]  # its name, the recipe, milliseconds asked for at the 95th percentile


def main() -> None:
    """Print a row an order."""
    count = int(next((word for word in sys.argv[1:] if word.isdecimal()), 40))
    print(f"Milliseconds of processor time per puzzle, {count} of each order")
    print(f"  {'order':34}{'met':>6}{'median':>10}{'95 %':>10}{'most':>10}{'asked':>10}")
    for name, recipe, asked in _orders():
        spent, met = _made(recipe, count)
        median, high, most = (float(np.percentile(spent, share)) for share in (50, 95, 100))
        print(f"  {name:34}{met:>4}/{count:<3}{median:>8.1f}{high:>10.1f}{most:>10.1f}{asked:>10,.0f}")


def _orders() -> Iterator[Order]:
    for level in range(1, 6):
        yield f"level {level}", Recipe(level=level, symmetry=ANY), 25
    for rating in RATINGS:
        rare = any(low <= rating <= high for low, high in RARE)
        wanted = round(rating - NEAR, 1), round(rating + NEAR, 1)
        yield f"ER {wanted[0]} to {wanted[1]}", Recipe(er=wanted), 5000 if rare else 1000
    for key in TECHNIQUES:
        yield f"hardest {key}", Recipe(hardest=key), 5000
    for key in TECHNIQUES:
        yield f"hardest {key}, half turn", Recipe(hardest=key, symmetry="half_turn"), 15_000


def _made(recipe: Recipe, count: int) -> tuple[list[float], int]:
    """Milliseconds for each of `count` seeds, and how many puzzles were what was asked for."""
    generate(recipe, -1)  # loads what it needs
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
