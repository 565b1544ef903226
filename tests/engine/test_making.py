"""Traces of how the five systems make a puzzle agree with `generate`, hole by hole."""

from __future__ import annotations

import pytest

from engine import Grid, Recipe, RecipeError, solution, solution_count
from engine.generation.generate import generate_by
from engine.generation.methods import METHODS
from engine.traces import MakingTrace, make, system

ASKED = [
    ("dig_hole", {}),
    *(("dig_hole", {"paper_level": level}) for level in range(1, 6)),
    ("dig_hole", {"order": "interlaced", "cells": 4}),
    ("dig_hole", {"transform": False}),
    ("weighted_rules", {}),
    ("weighted_rules", {"order": "serpentine"}),
    *(("weighted_rules", {"paper_level": level}) for level in range(1, 6)),
    ("exact_cover", {}),
    ("exact_cover", {"solved_grid": "centre_box"}),
    ("min_candidates", {}),
    *(("min_candidates", {"paper_level": level}) for level in range(1, 5)),
    *(("min_candidates", {"paper_level": level, "search": "own"}) for level in (1, 3)),
    *(("propagation", {"paper_level": level}) for level in range(1, 4)),
]


# The first seed from 2 on that makes level 3 of the weighted rules: thousands are discarded before it.
DISCARDED = 2_651
RARE = 2 + (DISCARDED << 32)


@pytest.fixture(scope="module", params=ASKED, ids=lambda asked: f"{asked[0]} {asked[1]}")
def made(request: pytest.FixtureRequest) -> MakingTrace:
    key, varied = request.param[0], dict(request.param[1])
    recipe = Recipe(key, paper_level=varied.pop("paper_level", None))
    seed = RARE if (key, recipe.paper_level) == ("weighted_rules", 3) else 7
    return make(recipe, seed, method=system(recipe, **varied))


def test_a_trace_ends_at_the_puzzle_that_generate_makes(made: MakingTrace) -> None:
    seed = made.seed - (made.discarded << 32)
    puzzle = generate_by(made.method, made.recipe, seed)
    assert seed in (7, RARE)
    assert made.puzzle == puzzle.grid == made.grid_at(len(made))
    assert made.seed == puzzle.seed
    assert made.level in (None, made.recipe.paper_level or made.level)
    assert made.grid_at(0) == Grid(bytes(81))
    assert made.measures["givens"] == made.puzzle.givens
    assert solution(made.puzzle) is not None
    with pytest.raises(IndexError):
        made.grid_at(len(made) + 1)


def test_every_hole_is_decided_by_contradiction_and_tried_once(made: MakingTrace) -> None:
    solved = None
    tried = []
    for step in made.steps:
        solved = step.grid if step.kind == "completed" else solved
        if step.kind not in ("hole", "kept"):
            continue
        (cell,) = step.cells
        tried.append(cell)
        others = [digit for digit in range(1, 10) if digit != solved[cell]]
        if step.kind == "hole":
            assert step.grid[cell] == 0
            assert [trial.digit for trial in step.trials] == others
            assert all(trial.solution is None for trial in step.trials)
            assert solution_count(step.grid) == 1
        else:
            assert step.grid[cell] == solved[cell]
        if step.reason == "solution":
            *clear, last = step.trials
            assert all(trial.solution is None for trial in clear)
            assert last.solution is not None and last.solution[cell] == last.digit != solved[cell]
    assert tried == list(made.order[: len(tried)])
    assert len(set(tried)) == len(tried)


def test_a_clash_is_in_a_house_of_the_cell(made: MakingTrace) -> None:
    for step in made.steps:
        for trial in step.trials:
            if trial.clash is not None:
                assert step.grid[trial.clash] == trial.digit


def test_both_bounds_hold_after_every_hole(made: MakingTrace) -> None:
    for step in made.steps:
        if step.kind == "hole":
            rows = [step.grid.digits[9 * row : 9 * row + 9] for row in range(9)]
            columns = [step.grid.digits[column::9] for column in range(9)]
            assert step.grid.givens >= made.plan.stop_low
            assert all(9 - line.count(0) >= made.plan.fewest_in_line for line in rows + columns)


def test_a_grid_that_grows_has_fewer_solutions_with_every_given() -> None:
    grown = [step for step in make(Recipe("min_candidates"), 3).steps if step.kind in ("given", "skipped")]
    counts = [step.solutions for step in grown if step.solutions is not None]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == 1


def test_a_beginning_without_a_solution_is_drawn_again() -> None:
    """With 25 random cells most have no solution."""
    again = make(Recipe(), 1, method=system(Recipe(), cells=25))
    assert "again" in [step.kind for step in again.steps]
    assert again.puzzle == generate_by(again.method, again.recipe, 1).grid


def test_the_four_transformations_end_what_the_paper_ends_with_them() -> None:
    for key, method in METHODS.items():
        kinds = {step.kind for step in make(Recipe(key), 11).steps}
        assert kinds.isdisjoint({"rows", "columns", "digits"}) != method.transformed


def test_what_no_system_has_is_not_traced() -> None:
    with pytest.raises(RecipeError) as refused:
        make(Recipe(symmetry="half_turn"), 1)
    assert refused.value.field == "symmetry"


def test_a_rare_level_is_met_by_discarding_what_is_of_another() -> None:
    made = make(Recipe("weighted_rules", paper_level=3), 2)
    assert made.level == 3
    assert (made.discarded, made.seed) == (DISCARDED, RARE)


def test_a_grade_is_grown_by_adding_to_hard_puzzles_and_taking_from_easy_ones() -> None:
    kinds = {
        step.kind
        for grade in (1, 4)
        for seed in range(4)
        for step in make(Recipe("min_candidates", paper_level=grade), seed).steps
    }
    assert kinds == {"given", "skipped", "eased", "withdrawn"}
