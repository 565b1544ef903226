"""Puzzles to order: milliseconds of processor time each takes, by what is asked for.

Every puzzle is rated anew afterwards, outside the time, and counted only where it is what was asked for.
`python -m benchmarks orders 100` makes so many for each order (default 40). `orders rare 3` makes so many of
what hardly any puzzle is, with two minutes for each, and prints what came nearest where there was none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import count as numbers
from itertools import repeat
from statistics import median
from time import process_time

import numpy as np

from engine import Grid, Rating, Recipe, RecipeError, generate, rate
from engine.generation.dig import Order as DigOrder
from engine.generation.dig import drawn_groups
from engine.generation.recipe import suits
from engine.generation.symmetry import ANY, Symmetry
from engine.generation.to_order import Nearest, OutOfTime
from engine.kernels.rng import seeded

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
PATIENCE = 120  # seconds of processor time for a rare order

Order = tuple[str, Recipe, float]  # its name, the recipe, milliseconds asked for at the 95th percentile


def main() -> None:
    """Print a row an order."""
    if "rare" in sys.argv:
        _rare(int(next((word for word in sys.argv[1:] if word.isdecimal()), 3)))
        return
    count = int(next((word for word in sys.argv[1:] if word.isdecimal()), 40))
    print(f"Milliseconds of processor time per puzzle, {count} of each order")
    print(f"  {'order':34}{'met':>6}{'median':>10}{'95 %':>10}{'most':>10}{'asked':>10}")
    for name, recipe, asked in _orders():
        spent, met = _made(recipe, count)
        middle, high, most = (float(np.percentile(spent, share)) for share in (50, 95, 100))
        print(f"  {name:34}{met:>4}/{count:<3}{middle:>8.1f}{high:>10.1f}{most:>10.1f}{asked:>10,.0f}")


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


def _rare(count: int) -> None:
    generate(Recipe(level=5), -1)  # loads what they need
    for name, recipes in _rare_orders():
        spent, met, missed = [], 0, []
        for seed, recipe in zip(range(1, count + 1), recipes, strict=False):
            start, nearest = process_time(), Nearest()
            try:
                generate(recipe, seed, _patience(start), nearest)
                met += 1
            except (RecipeError, OutOfTime):
                missed.append(str(nearest.found()))
            spent.append(process_time() - start)
        print(f"  {name:34}{met:>4}/{count:<3}{median(spent):>8.1f}{max(spent):>8.1f}", flush=True)
        for near in missed:
            print(f"    nearest: {near}")


def _patience(start: float) -> Callable[[], bool]:
    return lambda: process_time() > start + PATIENCE


def _rare_orders() -> Iterator[tuple[str, Iterator[Recipe]]]:
    for givens in (20, 19, 18):
        yield f"{givens} givens", repeat(Recipe(fewest_givens=givens, most_givens=givens))
    for key in ("remote_pair", "jellyfish", "nishio", "nested_forcing_chain"):
        yield f"hardest {key}", repeat(Recipe(hardest=key))
    yield "ER 9.5 to 12", repeat(Recipe(er=(9.5, 12.0)))
    for cells in (22, 20, 18):
        for symmetry in (Symmetry.NONE, Symmetry.HALF_TURN):
            yield f"pattern of {cells}, {symmetry.value}", _patterns(cells, symmetry)


def _patterns(size: int, symmetry: Symmetry) -> Iterator[Recipe]:
    """Random cells with a symmetry, those left out that a recipe refuses at once."""
    for seed in numbers():
        pattern: list[int] = []
        for group in drawn_groups(DigOrder.RANDOM, symmetry, seeded(seed)).tolist():
            cells = [cell for cell in group if cell >= 0]
            pattern += cells if len(pattern) + len(cells) <= size else []
        try:
            yield Recipe(pattern=pattern, fewest_givens=size)
        except RecipeError:
            continue


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
