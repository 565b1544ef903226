"""`generate`: the properties of every puzzle, the fields of a recipe, and the errors."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Puzzle, Recipe, RecipeError, Verdict, generate, is_minimal, rate_many, verdict
from engine.generation.generate import generate_by
from engine.generation.methods import METHODS
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.generation.symmetry import Symmetry
from engine.kernels.rng import seeded
from engine.rating import SCHEMES, weighted_rules
from engine.traces import system
from engine.version import __version__
from tests.engine.test_paper_generation import PAPER_LEVELS
from tests.thorough import one_in

methods = st.sampled_from(list(METHODS))
levels = st.one_of(
    st.fixed_dictionaries({"method": methods}),
    st.fixed_dictionaries({"method": methods, "level": st.integers(1, 5)}),
    st.sampled_from(
        [
            {"method": method, "paper_level": level}
            for method, level in PAPER_LEVELS
            if (method, level) != ("weighted_rules", 3)  # takes half a second each
        ]
    ),
)
symmetries = st.sampled_from([symmetry.value for symmetry in Symmetry])
seeds = st.integers(-(2**70), 2**70)
laws = settings(max_examples=40, deadline=None)
REFUSED = Path(__file__).parents[1] / "data" / "refused_recipes.jsonl"


def givens_of(puzzle: Puzzle) -> set[int]:
    return {cell for cell in range(81) if puzzle.grid[cell]}


@given(levels, symmetries, seeds)
@laws
def test_every_puzzle_has_its_solution_as_the_only_one(
    level: dict[str, Any], symmetry: str, seed: int
) -> None:
    puzzle = generate(Recipe(**level, symmetry=symmetry), seed)
    assert verdict(puzzle.grid) is Verdict.UNIQUE
    assert puzzle.solution.full
    assert puzzle.solution.faults() == []
    assert all(puzzle.grid[cell] in (0, puzzle.solution[cell]) for cell in range(81))


@given(levels, symmetries, seeds)
@laws
def test_one_recipe_and_seed_are_one_puzzle(level: dict[str, Any], symmetry: str, seed: int) -> None:
    recipe = Recipe(**level, symmetry=symmetry)
    assert generate(recipe, seed) == generate(recipe, seed)


@given(methods, symmetries, seeds)
@laws
def test_the_givens_have_the_symmetry_asked_for(method: str, symmetry: str, seed: int) -> None:
    givens = givens_of(generate(Recipe(method=method, symmetry=symmetry), seed))
    assert givens == {image for cell in givens for image in Symmetry(symmetry).images(cell)}


@pytest.mark.parametrize(
    ("method", "level"),
    [*(("dig_hole", level) for level in range(1, 6)), *(("propagation", level) for level in (1, 2, 3))],
)
def test_a_paper_level_keeps_its_interval_of_givens_and_its_line_bound(method: str, level: int) -> None:
    wanted = METHODS[method].paper_levels[level - 1]
    for seed in range(20):
        grid = generate(Recipe(method, paper_level=level), seed).grid
        assert wanted.fewest <= grid.givens <= wanted.most
        lines = [grid.digits[9 * row : 9 * row + 9] for row in range(9)]
        lines += [grid.digits[column::9] for column in range(9)]
        assert all(9 - line.count(0) > wanted.bound for line in lines)


def test_the_paper_levels_of_dig_hole_split_17_to_80_with_22_in_the_fifth() -> None:
    intervals = [range(level.fewest, level.most + 1) for level in METHODS["dig_hole"].paper_levels]
    assert sorted(count for interval in intervals for count in interval) == list(range(17, 81))
    assert {len(interval) for interval in intervals} == {12, 13}
    assert 22 in intervals[4]


def test_the_levels_of_propagation_split_17_to_80_in_three() -> None:
    levels = METHODS["propagation"].paper_levels
    assert [(level.fewest, level.most) for level in levels] == [(55, 80), (28, 54), (17, 27)]


@pytest.mark.parametrize("grade", [1, 2, 3, 4])
def test_min_candidates_aims_at_the_grade_of_its_own_rating(grade: int) -> None:
    for seed in range(5):
        grid = generate(Recipe("min_candidates", paper_level=grade), seed).grid
        assert SCHEMES["decision_tree"](grid) == grade


@pytest.mark.parametrize("level", [1, 2, 4, 5])
def test_weighted_rules_aim_at_the_level_of_their_own_rating(level: int) -> None:
    for seed in range(5):
        difficulty = SCHEMES["weighted_rules"](
            generate(Recipe("weighted_rules", paper_level=level), seed).grid
        )
        assert difficulty is not None and weighted_rules.level(difficulty) == level


def test_weighted_rules_stop_below_30_givens_and_exact_cover_at_60_holes() -> None:
    assert {generate(Recipe("weighted_rules"), seed).grid.givens for seed in range(20)} == {29}
    assert min(generate(Recipe("exact_cover"), seed).grid.givens for seed in range(200)) >= 21


@pytest.mark.parametrize(
    ("method", "symmetry"), one_in(4, product(METHODS, ("none", "half_turn", "diagonal")))
)
def test_a_minimal_puzzle_can_spare_no_given(method: str, symmetry: str) -> None:
    puzzle = generate(Recipe(method, minimal=True, symmetry=symmetry), 4)
    assert puzzle.minimal
    assert is_minimal(puzzle.grid)


def test_a_minimal_puzzle_may_have_every_symmetry_at_once() -> None:
    puzzle = generate(Recipe(minimal=True, symmetry="full"), 2)
    givens = givens_of(puzzle)
    assert puzzle.minimal
    assert givens == {image for cell in givens for image in Symmetry.FULL.images(cell)}


PATTERNS = {
    "every third cell": tuple(cell for cell in range(81) if (cell // 9 + cell % 9) % 3 == 0),
    "two boxes empty": tuple(
        cell for cell in range(81) if cell % 2 == 0 and cell // 27 * 3 + cell % 9 // 3 not in (0, 8)
    ),
    "a frame": tuple(cell for cell in range(81) if cell // 9 in (0, 4, 8) or cell % 9 in (0, 4, 8)),
}


@pytest.mark.parametrize(("name", "method"), one_in(4, product(PATTERNS, METHODS)))
def test_a_pattern_is_filled_exactly(name: str, method: str) -> None:
    puzzle = generate(Recipe(method, pattern=PATTERNS[name]), 9)
    assert givens_of(puzzle) == set(PATTERNS[name])
    assert verdict(puzzle.grid) is Verdict.UNIQUE


def test_a_sparse_pattern_is_met_too() -> None:
    pattern = givens_of(generate(Recipe(most_givens=22), 1))
    assert givens_of(generate(Recipe(pattern=tuple(pattern)), 1)) == pattern


def test_a_minimal_puzzle_of_a_pattern_is_both() -> None:
    puzzle = generate(Recipe(pattern=PATTERNS["every third cell"], minimal=True), 1)
    assert puzzle.minimal and givens_of(puzzle) == set(PATTERNS["every third cell"])


@pytest.mark.parametrize("key", SOLVED_GRIDS)
def test_a_system_varied_digs_in_the_grid_of_the_maker_named(key: str) -> None:
    recipe = Recipe("exact_cover")
    puzzle = generate_by(system(recipe, solved_grid=key), recipe, 3)
    # exact_cover transforms nothing, so the maker's grid stays visible: the same one, drawn first of all.
    assert puzzle.solution.array().tolist() == SOLVED_GRIDS[key](seeded(3)).tolist()


def test_minimal_puzzles_are_distributed_as_the_published_ones_dug_from_solved_grids() -> None:
    """The published figures of a million top-down puzzles: 24.38 givens, sd 1.12, and SER 3.77, sd 2.42.

    Bounds of four standard errors of the samples: a sound generator fails one seed in 16,000.
    """
    recipe = Recipe(minimal=True)
    grids = np.array([generate(recipe, seed).grid.array() for seed in range(8_000)])
    givens = np.count_nonzero(grids, axis=1)
    assert abs(givens.mean() - 24.38) < 4 * 1.12 / 8_000**0.5 + 0.005  # published to two places
    assert abs(givens.std() - 1.12) < 4 * 1.12 / 16_000**0.5 + 0.005
    rated = rate_many(grids[:400], schemes=["explainer"], explainer_set="1.2.1")["explainer"]
    assert abs(rated.mean() - 3.77) < 4 * 2.42 / 400**0.5
    assert abs(rated.std() - 2.42) < 4 * 2.42 / 800**0.5


def test_a_puzzle_with_a_given_too_many_is_not_minimal() -> None:
    puzzle = generate(Recipe(minimal=True), 1)
    cell = puzzle.grid.digits.index(0)
    digits = bytearray(puzzle.grid.digits)
    digits[cell] = puzzle.solution[cell]
    assert not is_minimal(type(puzzle.grid)(bytes(digits)))


@pytest.mark.parametrize(("fewest", "most"), [(30, None), (None, 24), (40, 44), (30, 30), (81, 81)])
def test_own_bounds_on_givens_take_the_place_of_the_levels(fewest: int | None, most: int | None) -> None:
    for level in (None, 1):
        for seed in range(5):
            puzzle = generate(Recipe(level=level, fewest_givens=fewest, most_givens=most), seed)
            assert (fewest or 17) <= puzzle.grid.givens <= (most or 81)


def test_digging_stops_at_the_fewest_givens_asked_for() -> None:
    assert {generate(Recipe(fewest_givens=33), seed).grid.givens for seed in range(5)} == {33}


@pytest.mark.parametrize("line", REFUSED.read_text().splitlines())
def test_a_bad_recipe_is_refused_by_the_name_of_its_field(line: str) -> None:
    case = json.loads(line)
    with pytest.raises(RecipeError) as refusal:
        system(Recipe.of(case["recipe"]), **case.get("varied", {}))
    said = str(refusal.value)
    assert refusal.value.field == case["field"]
    assert said.startswith(f"{case['field']}: expected ") and case["says"] in said and ", found " in said


def test_a_puzzle_remembers_how_to_make_it_again() -> None:
    puzzle = generate(Recipe(level=2), 12)
    assert puzzle.engine_version == __version__
    assert generate(puzzle.recipe, puzzle.seed) == puzzle


def test_the_package_has_the_version_of_the_engine() -> None:
    file = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert file["project"]["dynamic"] == ["version"]
    assert file["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "engine.version.__version__"}


@pytest.mark.kernel
def test_compiled_or_not_and_on_any_machine_a_seed_makes_this_puzzle() -> None:
    """A uniform grid dug at random depends on no solver's order, so this one is stable."""
    puzzle = generate_by(system(Recipe(), solved_grid="uniform"), Recipe(), 20240229)
    assert str(puzzle.grid) == (
        ".46..9...7.3...56........4..34.........5...9.9.86.3.......4.286.......7.1.9.....3"
    )


@pytest.mark.slow
def test_another_process_makes_the_same_puzzles() -> None:
    wishes: list[dict[str, Any]] = [
        {},
        {"level": 3},
        {"symmetry": "half_turn"},
        {"pattern": [*range(0, 80, 2), 1]},
    ]
    script = (
        f"import engine\nfor method in {[*METHODS]}:\n    for wish in {wishes}:\n"
        "        print(engine.generate(engine.Recipe(method, **wish), -7).grid)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    here = [str(generate(Recipe(method, **wish), -7).grid) for method in METHODS for wish in wishes]
    assert ran.stdout.split() == here
