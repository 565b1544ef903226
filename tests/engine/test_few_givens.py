"""Puzzles of few givens, the effort of a recipe, and the result when it isn't enough."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from engine import Recipe, RecipeError, Verdict, generate, parse, rate, verdict
from engine.generation.to_order import Nearest
from tests.thorough import amount


@pytest.mark.slow
@pytest.mark.parametrize("givens", [20, 21])
def test_few_givens_are_reached(givens: int) -> None:
    puzzle = generate(Recipe(fewest_givens=givens, most_givens=givens), 1)
    assert puzzle.grid.givens == givens
    assert verdict(puzzle.grid) is Verdict.UNIQUE


def test_few_givens_are_the_same_for_the_same_seed() -> None:
    recipe = Recipe(most_givens=21)
    assert generate(recipe, 7) == generate(recipe, 7)


def test_what_is_not_reached_is_refused_by_its_field_and_leaves_the_nearest_puzzle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = importlib.import_module("engine.generation.generate")
    monkeypatch.setattr(module, "MOST_EXCHANGES", amount("EXCHANGES", 1, module.MOST_EXCHANGES))
    with pytest.raises(RecipeError, match="most_givens: ") as refusal:
        generate(Recipe(most_givens=17), 1)
    nearest = refusal.value.nearest
    grid = parse(nearest.puzzle)
    assert refusal.value.field == "most_givens"
    assert 17 < grid.givens < 24
    assert verdict(grid) is Verdict.UNIQUE
    rating = rate(grid)
    assert (nearest.givens, nearest.er, nearest.hardest) == (
        grid.givens,
        rating.scores["explainer"],
        rating.hardest,
    )


def test_a_pattern_without_a_puzzle_leaves_one_with_more_givens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("engine.generation.generate"), "MOST_MISFITS", 1)
    pattern = [*range(3), *range(9, 12), *range(27, 33), *range(36, 42), 60, 70, 80]  # r7 to r9 hold three
    with pytest.raises(RecipeError, match="pattern: ") as refusal:
        generate(Recipe(pattern=pattern), 1)
    nearest = refusal.value.nearest
    grid = parse(nearest.puzzle)
    assert all(grid[cell] for cell in pattern) and grid.givens > len(pattern)
    assert verdict(grid) is Verdict.UNIQUE


@pytest.mark.parametrize(("more", "kept"), [(True, 26), (False, 24)])
def test_of_puzzles_that_have_too_few_givens_the_nearest_has_most(more: bool, kept: int) -> None:
    nearest = Nearest()
    for givens in (25, 24, 26):
        nearest.keep((np.arange(81) < givens).astype(np.uint8), more=more)
    assert parse(nearest.puzzle).givens == kept


def test_without_a_seed_one_is_drawn_and_kept() -> None:
    recipe = Recipe(level=1)
    puzzle = generate(recipe)
    assert generate(recipe, puzzle.seed) == puzzle
    assert generate(recipe).seed != puzzle.seed


@pytest.mark.parametrize("effort", [0, 1001, 1.5])
def test_an_effort_out_of_range_is_refused(effort: int) -> None:
    with pytest.raises(RecipeError, match="effort"):
        Recipe(effort=effort)
