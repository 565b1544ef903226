"""Figures of F: published figures of a million minimal puzzles dug top-down, as system C digs them."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from statistics import fmean, pstdev

from benchmarks.systems.common import Row, trials
from engine import Recipe, rate
from engine.generation import generate_by
from engine.traces import system


def population() -> Iterator[Row]:
    """F: Berthier, of two generators that delete the givens of a random solved grid one by one."""
    recipe = Recipe("exact_cover", minimal=True)
    method = system(recipe, solved_grid="uniform")
    made = trials(10_000)
    grids = [generate_by(method, recipe, seed).grid for seed in range(made)]
    givens = [float(grid.givens) for grid in grids]
    yield Row("givens", "givens of minimal puzzles", "24.38, sd 1.12", _moments(givens), made)
    rated_of = trials(4_000)
    some = grids[:rated_of]
    rated = (rate(grid, schemes=("explainer",), explainer_set="1.2.1").scores["explainer"] for grid in some)
    ratings = [rating for rating in rated if rating is not None]
    yield Row("er", "their ER, Explainer 1.2.1", "3.77, sd 2.42", _moments(ratings), rated_of)


def _moments(values: list[float]) -> str:
    """Format the mean with its standard error, and the standard deviation."""
    spread = pstdev(values)
    return f"{fmean(values):.3f} ± {spread / sqrt(len(values)):.3f}, sd {spread:.3f}"
