"""generate: what every puzzle keeps, what a recipe may ask, and what is refused."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Puzzle, Recipe, RecipeError, Verdict, generate, is_minimal, verdict
from engine.generation.methods import LEVELS, METHODS
from engine.generation.symmetry import Symmetry

levels = st.one_of(
    st.just({}),
    st.fixed_dictionaries({"level": st.integers(1, 5)}),
    st.fixed_dictionaries({"paper_level": st.integers(1, 5)}),
)
symmetries = st.sampled_from([symmetry.value for symmetry in Symmetry])
seeds = st.integers(-(2**70), 2**70)
laws = settings(max_examples=40, deadline=None)


def givens_of(puzzle: Puzzle) -> set[int]:
    return {cell for cell in range(81) if puzzle.grid[cell]}


@given(levels, symmetries, seeds)
@laws
def test_every_puzzle_has_its_solution_as_the_only_one(
    level: dict[str, int], symmetry: str, seed: int
) -> None:
    puzzle = generate(Recipe(**level, symmetry=symmetry), seed)
    assert verdict(puzzle.grid) is Verdict.UNIQUE
    assert puzzle.solution.full
    assert puzzle.solution.faults() == []
    assert all(puzzle.grid[cell] in (0, puzzle.solution[cell]) for cell in range(81))


@given(levels, symmetries, seeds)
@laws
def test_one_recipe_and_seed_are_one_puzzle(level: dict[str, int], symmetry: str, seed: int) -> None:
    recipe = Recipe(**level, symmetry=symmetry)
    assert generate(recipe, seed) == generate(recipe, seed)


@given(symmetries, seeds)
@laws
def test_the_givens_have_the_symmetry_asked_for(symmetry: str, seed: int) -> None:
    givens = givens_of(generate(Recipe(symmetry=symmetry), seed))
    assert givens == {image for cell in givens for image in Symmetry(symmetry).images(cell)}


@pytest.mark.parametrize("level", range(1, 6))
def test_a_paper_level_keeps_its_interval_of_givens_and_its_line_bound(level: int) -> None:
    wanted = METHODS["dig_hole"].paper_levels[level - 1]
    for seed in range(20):
        grid = generate(Recipe(paper_level=level), seed).grid
        assert wanted.fewest <= grid.givens <= wanted.most
        lines = [grid.digits[9 * row : 9 * row + 9] for row in range(9)]
        lines += [grid.digits[column::9] for column in range(9)]
        assert all(9 - line.count(0) > wanted.bound for line in lines)


@pytest.mark.parametrize("level", range(1, 6))
def test_a_level_keeps_its_interval_of_givens(level: int) -> None:
    for seed in range(20):
        assert LEVELS[level].fewest <= generate(Recipe(level=level), seed).grid.givens <= LEVELS[level].most


def test_the_paper_levels_of_dig_hole_split_17_to_80_with_22_in_the_fifth() -> None:
    intervals = [range(level.fewest, level.most + 1) for level in METHODS["dig_hole"].paper_levels]
    assert sorted(count for interval in intervals for count in interval) == list(range(17, 81))
    assert {len(interval) for interval in intervals} == {12, 13}
    assert 22 in intervals[4]


@pytest.mark.parametrize("symmetry", ["none", "half_turn", "diagonal"])
def test_a_minimal_puzzle_can_spare_no_given(symmetry: str) -> None:
    for seed in range(3):
        assert is_minimal(generate(Recipe(minimal=True, symmetry=symmetry), seed).grid)


def test_a_puzzle_with_a_given_too_many_is_not_minimal() -> None:
    puzzle = generate(Recipe(minimal=True), 1)
    cell = puzzle.grid.digits.index(0)
    digits = bytearray(puzzle.grid.digits)
    digits[cell] = puzzle.solution[cell]
    assert not is_minimal(type(puzzle.grid)(bytes(digits)))


@pytest.mark.parametrize(("fewest", "most"), [(30, None), (None, 24), (40, 44), (30, 30), (81, 81)])
def test_own_bounds_on_givens_take_the_place_of_the_levels(fewest: int | None, most: int | None) -> None:
    for level in (None, 1, 5):
        for seed in range(5):
            puzzle = generate(Recipe(level=level, fewest_givens=fewest, most_givens=most), seed)
            assert (fewest or 17) <= puzzle.grid.givens <= (most or 81)


def test_digging_stops_at_the_fewest_givens_asked_for() -> None:
    assert {generate(Recipe(fewest_givens=33), seed).grid.givens for seed in range(5)} == {33}


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("method", {"method": "magic"}),
        ("level", {"level": 6}),
        ("paper_level", {"paper_level": 0}),
        ("paper_level", {"level": 1, "paper_level": 1}),
        ("symmetry", {"symmetry": "round"}),
        ("fewest_givens", {"fewest_givens": 16}),
        ("most_givens", {"most_givens": 82}),
        ("fewest_givens", {"fewest_givens": 40, "most_givens": 39}),
    ],
)
def test_a_bad_recipe_is_refused_by_the_name_of_its_field(field: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(RecipeError) as refusal:
        Recipe(**wrong)
    assert refusal.value.field == field
    assert str(refusal.value).startswith(f"{field}: ")


def test_what_no_grid_can_meet_is_refused_by_the_name_of_its_field() -> None:
    with pytest.raises(RecipeError, match="most_givens: "):
        generate(Recipe(most_givens=17), 1)


def test_a_puzzle_remembers_how_to_make_it_again() -> None:
    puzzle = generate(Recipe(level=2), 12)
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert puzzle.engine_version == project["version"]
    assert generate(puzzle.recipe, puzzle.seed) == puzzle


def test_another_process_makes_the_same_puzzles() -> None:
    script = "import engine; print(*[engine.generate(engine.Recipe(level=n), -7).grid for n in range(1, 6)])"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [str(generate(Recipe(level=level), -7).grid) for level in range(1, 6)]
