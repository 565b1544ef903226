"""Puzzles to order: the rating confirms the requested properties."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Recipe,
    RecipeError,
    Verdict,
    canonical_form,
    generate,
    is_minimal,
    rate,
    solve_path,
    verdict,
)
from engine.errors import OutOfTime
from engine.generation.symmetry import OFFERED, Symmetry
from engine.generation.to_order import STARTS

seeds = st.integers(0, 2**62)
few = settings(max_examples=5, deadline=None)


@pytest.mark.parametrize("level", range(1, 6))
@given(seed=seeds)
@few
def test_a_level_asked_for_is_the_level_of_the_rating(level: int, seed: int) -> None:
    assert rate(generate(Recipe(level=level), seed).grid).level == level


@pytest.mark.parametrize("wanted", [(1.7, 2.3), (3.2, 3.6), (4.2, 4.4), (6.6, 7.2)])
@given(seed=seeds)
@few
def test_the_er_lies_in_the_range_asked_for(wanted: tuple[float, float], seed: int) -> None:
    rating = rate(generate(Recipe(er=wanted), seed).grid).scores["explainer"]
    assert rating is not None and wanted[0] <= rating <= wanted[1]


@pytest.mark.parametrize("key", ["pointing", "naked_pair", "skyscraper", "w_wing", "unique_rectangle_1"])
@given(seed=seeds)
@few
def test_the_hardest_technique_is_the_one_asked_for(key: str, seed: int) -> None:
    assert rate(generate(Recipe(hardest=key), seed).grid).hardest == key


@given(seed=seeds)
@few
def test_any_symmetry_is_one_of_those_offered(seed: int) -> None:
    puzzle = generate(Recipe(level=3, symmetry="any"), seed)
    cells = {cell for cell in range(81) if puzzle.grid[cell]}
    drawn = Symmetry(puzzle.recipe.symmetry)
    assert drawn in OFFERED and drawn.holds(cells)
    assert generate(puzzle.recipe, seed) == puzzle


@given(seed=seeds)
@few
def test_the_expected_time_lies_in_the_range_asked_for(seed: int) -> None:
    seconds = rate(generate(Recipe(minutes=(8, 10)), seed).grid).expected_seconds
    assert seconds is not None and 8 * 60 <= seconds <= 10 * 60


@given(seed=seeds)
@few
def test_techniques_that_must_and_must_not_occur(seed: int) -> None:
    recipe = Recipe(level=4, must=["naked_pair"], must_not=["xy_wing", "unique_rectangle_1"])
    path = solve_path(generate(recipe, seed).grid)
    used = {step.technique for step in path.steps}
    assert path.solved and "naked_pair" in used and not used & {"xy_wing", "unique_rectangle_1"}


@given(seed=seeds)
@few
def test_aiming_keeps_symmetry_bounds_and_minimality(seed: int) -> None:
    symmetric = generate(Recipe(level=3, symmetry="half_turn", most_givens=28), seed).grid
    assert symmetric.givens <= 28
    assert all(bool(symmetric[cell]) == bool(symmetric[80 - cell]) for cell in range(81))
    assert is_minimal(generate(Recipe(level=4, minimal=True), seed).grid)


@pytest.mark.parametrize(
    "wish", [{"er": (3.0, 4.5)}, {"hardest": "naked_pair"}, {"level": 2, "symmetry": "full"}]
)
def test_an_order_and_a_seed_are_one_puzzle(wish: dict[str, Any]) -> None:
    assert generate(Recipe(**wish), 5) == generate(Recipe(**wish), 5)


@pytest.mark.parametrize("key", ["forcing_chain", "dynamic_forcing_chain"])
def test_a_hardest_technique_that_no_rating_names_is_refused(key: str) -> None:
    with pytest.raises(RecipeError, match="expected a technique that solution paths use"):
        generate(Recipe(hardest=key), 1)


def test_an_order_that_nothing_meets_ends_by_the_name_of_its_field(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("engine.generation.generate"), "MOST_JUDGED", 500)
    with pytest.raises(RecipeError) as refusal:
        generate(Recipe(er=(7.0, 8.0), fewest_givens=70), 1)  # nothing hard hides in eleven cells
    assert refusal.value.field == "er"


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [(9.1, 9.4), (9.5, 10.0)])
def test_an_er_that_digging_hardly_ever_comes_to_is_reached_by_exchanges(wanted: tuple[float, float]) -> None:
    grid = generate(Recipe(er=wanted), 1).grid
    er = rate(grid).scores["explainer"]
    assert er is not None and wanted[0] <= er <= wanted[1]
    assert verdict(grid) is Verdict.UNIQUE and str(grid) not in STARTS


def test_a_start_that_matches_is_returned_transformed_if_no_other_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(importlib.import_module("engine.generation.to_order"), "ROUNDS_FROM_START", 0)
    puzzle = generate(Recipe(er=(9.5, 10.0)), 1)
    assert str(puzzle.grid) not in STARTS
    assert canonical_form(puzzle) in [canonical_form(start) for start in STARTS]
    assert puzzle.method == "to_order"


@pytest.mark.slow
@pytest.mark.parametrize("key", ["cell_forcing_chain", "forcing_chain_verity"])
def test_a_chain_of_several_branches_that_is_asked_for_is_what_the_rating_calls_it(key: str) -> None:
    assert rate(generate(Recipe(hardest=key), 3).grid).hardest == key


@pytest.mark.parametrize("level", range(1, 6))
@pytest.mark.parametrize("givens", [27, 31, 36])
def test_givens_are_a_wish_at_every_level(level: int, givens: int) -> None:
    grid = generate(Recipe(level=level, fewest_givens=givens, most_givens=givens), 1).grid
    assert (grid.givens, rate(grid).level) == (givens, level)


def test_a_search_that_is_stopped_ends() -> None:
    with pytest.raises(OutOfTime):
        generate(Recipe(er=(5.2, 5.2), symmetry=Symmetry.FULL.value), 1, stop=lambda: True)
