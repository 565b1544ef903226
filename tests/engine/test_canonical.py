"""Canonical forms: equivalent grids share one, others differ, and it is the least equivalent grid."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Canonical,
    Grid,
    NotUniqueError,
    Puzzle,
    Recipe,
    Transformation,
    canonical_form,
    canonical_forms,
    canonical_key,
    generate,
    parse,
    solution,
)
from engine.canonical import canonical_start
from tests.reference import least_images
from tests.thorough import amount

# The grid with the most automorphisms, which is its own least form.
MOST_SYMMETRIC = parse("123456789456789123789123456231564897564897231897231564312645978645978312978312645")
# Each row is the one above shifted by three cells, each band by one more.
CYCLIC = Grid(bytes((3 * (row % 3) + row // 3 + column) % 9 + 1 for row in range(9) for column in range(9)))
SEVENTEEN = parse("3...................57........8..4.79.......56...2...8....9..3...4....1...75.....")

laws = settings(max_examples=25, deadline=None)
transformations = st.integers(0, 2**64).map(lambda seed: Transformation.random(random.Random(seed).randrange))
puzzles = st.integers(0, 2**32).map(lambda seed: generate(Recipe(minimal=True), seed))


@pytest.mark.parametrize("grid", [SEVENTEEN, MOST_SYMMETRIC, CYCLIC])
def test_the_form_of_a_solved_puzzle_comes_with_its_solution(grid: Grid) -> None:
    for seed in range(8):
        given_grid = Transformation.random(random.Random(seed).randrange).apply(grid)
        solved = solution(given_grid)
        form = canonical_form(grid)
        assert canonical_start(given_grid, solved)[:2] == (form, solution(form))


@given(puzzles, transformations)
@laws
def test_equivalent_grids_have_one_form(puzzle: Puzzle, there: Transformation) -> None:
    for grid in (puzzle.grid, puzzle.solution):
        assert canonical_form(there.apply(grid)) == canonical_form(grid)


@given(puzzles)
@laws
def test_the_transformation_leads_to_the_form(puzzle: Puzzle) -> None:
    found = Canonical.of(puzzle.grid)
    assert found.transformation.apply(puzzle.grid) == found.form
    assert found.transformation.apply(puzzle.solution) == canonical_form(puzzle.solution)


@given(puzzles)
@laws
def test_a_form_is_its_own_form(puzzle: Puzzle) -> None:
    form = canonical_form(puzzle.grid)
    assert canonical_form(form) == form


@pytest.mark.slow
@given(puzzles)
@settings(max_examples=5, deadline=None)
def test_the_form_of_a_grid_is_the_least_that_brute_force_finds(puzzle: Puzzle) -> None:
    for grid in (puzzle.grid, puzzle.solution):
        images = least_images(grid.digits, puzzle.solution.digits)
        found = Canonical.of(grid)
        assert (found.form.digits, found.automorphisms) == (bytes(images[0]), images.count(images[0]))


@pytest.mark.slow
@pytest.mark.kernel
@pytest.mark.parametrize("grid", [MOST_SYMMETRIC, CYCLIC])
def test_a_symmetric_grid_has_the_form_and_automorphisms_that_brute_force_finds(grid: Grid) -> None:
    there = Transformation.random(random.Random(7).randrange)
    images = least_images(grid.digits, grid.digits)
    found = Canonical.of(there.apply(grid))
    assert (found.form.digits, found.automorphisms) == (bytes(images[0]), len(images))


@pytest.mark.kernel
def test_the_most_symmetric_grid_has_648_automorphisms() -> None:
    assert Canonical.of(MOST_SYMMETRIC).automorphisms == 648
    assert canonical_form(MOST_SYMMETRIC) == MOST_SYMMETRIC


def test_puzzles_of_a_symmetric_grid_have_the_least_of_its_images() -> None:
    # Two givens that an automorphism of the solution exchanges lead to one form, whichever is left out.
    full = MOST_SYMMETRIC
    without = [
        Grid(bytes(0 if cell == left else digit for cell, digit in enumerate(full.digits)))
        for left in range(81)
    ]
    forms = {canonical_form(grid) for grid in without}
    assert forms == {min(forms, key=lambda grid: grid.digits)}
    assert {Canonical.of(grid).automorphisms for grid in without} == {8}


@pytest.mark.kernel
def test_a_batch_gives_the_forms_of_its_rows_and_zeros_without_one_solution() -> None:
    rows = np.stack([SEVENTEEN.array(), np.zeros(81, np.uint8), MOST_SYMMETRIC.array()])
    for jobs in (1, 2):
        forms = canonical_forms(rows, jobs)
        assert [Grid(row.tobytes()) for row in forms] == [
            canonical_form(SEVENTEEN),
            Grid(bytes(81)),
            MOST_SYMMETRIC,
        ]


def test_equivalent_puzzles_share_a_key_and_others_do_not() -> None:
    there = Transformation.random(random.Random(7).randrange)
    assert canonical_key(there.apply(SEVENTEEN)) == canonical_key(SEVENTEEN)
    assert canonical_key(SEVENTEEN) != canonical_key(MOST_SYMMETRIC)
    assert len(canonical_key(SEVENTEEN)) == 32


@pytest.mark.parametrize(("line", "found"), [("." * 81, "several"), ("77" + "." * 79, "none")])
def test_a_grid_without_exactly_one_solution_has_no_form(line: str, found: str) -> None:
    with pytest.raises(NotUniqueError) as refused:
        canonical_form(parse(line))
    assert refused.value.found == found


@pytest.mark.slow
@pytest.mark.data
def test_puzzles_with_17_givens_have_different_forms(data: Path) -> None:
    lines = (data / "clues17.txt").read_text().split()[: amount("OF_17", 5_000, 49_158)]
    forms = canonical_forms(np.stack([parse(line).array() for line in lines]), jobs=2)
    assert len({row.tobytes() for row in forms}) == len(lines)
