"""Puzzles grown given by given, and digits moved about in prescribed cells."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

import tests.reference as reference
from engine import Grid, Verdict, is_minimal, parse, verdict
from engine.generation.dig import Order, drawn_groups
from engine.generation.grow import completed, fitted, grown, pared
from engine.generation.solved_grids import uniform
from engine.generation.symmetry import Symmetry
from engine.kernels import grow as kernels
from engine.kernels import harder
from engine.kernels.bitboard import workspace
from engine.kernels.rng import seeded
from engine.rating import SCHEMES

# Four cells hold 79.
SWAPPED = ".46.85123.51.23684283164795812456937479231856365897412127349568598672341634518279"


def opened(seed: int, cells: int) -> np.ndarray:
    """Return a solved grid with that many random cells emptied."""
    state = seeded(seed)
    puzzle = uniform(state)
    puzzle[drawn_groups(Order.RANDOM, Symmetry.NONE, state).ravel()[:cells]] = 0
    return puzzle


@pytest.mark.kernel
def test_a_cell_is_filled_with_a_digit_of_some_solution_each_as_likely() -> None:
    puzzle = opened(3, 48)
    found = list(islice(reference.solutions(puzzle.tolist()), 1000))
    assert 1 < len(found) < 1000
    state, stack = seeded(1), workspace()
    for cell in np.flatnonzero(puzzle == 0)[:12].tolist():
        digits = {solution[cell] for solution in found}
        drawn = set()
        for _ in range(30 * len(digits)):
            trial = puzzle.copy()
            assert kernels.fill_at_random(state, cell, stack, trial) == (len(digits) > 1)
            drawn.add(int(trial[cell]))
        assert drawn == digits


@pytest.mark.kernel
def test_growing_ends_with_one_solution_and_adds_only_what_settles_something() -> None:
    puzzle = opened(3, 50)
    before = puzzle.copy()
    state = seeded(2)
    assert kernels.grow(state, drawn_groups(Order.RANDOM, Symmetry.NONE, state), workspace(), puzzle)
    assert verdict(Grid(puzzle.tobytes())) is Verdict.UNIQUE
    assert (puzzle[before > 0] == before[before > 0]).all()
    added = np.flatnonzero(puzzle != before)
    assert 0 < len(added) < 10


def test_insufficient_groups_are_reported() -> None:
    puzzle = np.zeros(81, np.uint8)
    assert not kernels.grow(seeded(2), np.arange(9).reshape(-1, 1), workspace(), puzzle)


def test_a_grade_out_of_reach_is_none() -> None:
    assert grown(seeded(1), Symmetry.NONE, wanted=9, grade=SCHEMES["decision_tree"]) is None


def test_paring_leaves_no_given_that_could_be_spared() -> None:
    state = seeded(5)
    puzzle = grown(state, Symmetry.NONE, fewest=45)
    assert puzzle is not None and np.count_nonzero(puzzle) == 45
    left = pared(state, Symmetry.NONE, puzzle)
    assert np.count_nonzero(left) < 35
    for cell in np.flatnonzero(left).tolist():
        without = left.copy()
        without[cell] = 0
        assert verdict(Grid(without.tobytes())) is Verdict.MULTIPLE


def test_a_pattern_without_a_puzzle_leaves_several_solutions() -> None:
    puzzle, left = fitted(uniform(seeded(1)), range(27, 45), seeded(1))
    assert left > 1
    assert np.flatnonzero(puzzle).tolist() == [*range(27, 45)]


def test_pairs_lead_to_a_puzzle_where_changes_at_random_do_not() -> None:
    shape = "...7.26....5....9..9..1.2...........8...6.43..6.3.1...42...........4...39.......8"
    state, stack = seeded(5), workspace()
    cells = np.array([cell for cell, given in enumerate(shape) if given != "."])
    puzzle = np.where(np.array([*shape]) == ".", 0, uniform(state)).astype(np.uint8)
    left = kernels.fit(state, cells, 500, 1_000, stack, puzzle)
    assert kernels.fit(state.copy(), cells, 2_000, 1_000, stack, puzzle.copy()) > 1
    assert kernels.tighten(state, cells, 2_000, left, np.empty((2_000, 81), np.uint8), stack, puzzle) == 1
    assert kernels.solutions_up_to(2, stack, puzzle) == 1
    assert np.array_equal(np.flatnonzero(puzzle), cells)


def test_a_layout_is_completed_by_the_givens_that_leave_fewest_solutions() -> None:
    puzzle = np.zeros(81, np.uint8)
    puzzle[:27] = uniform(seeded(1))[:27]
    whole = completed(puzzle, seeded(2))
    assert np.array_equal(whole[:27], puzzle[:27])
    assert verdict(Grid(whole.tobytes())) is Verdict.UNIQUE
    assert np.count_nonzero(whole) < 45


@pytest.mark.kernel
def test_of_two_solutions_one_given_more_leaves_one() -> None:
    two = parse(SWAPPED)
    whole = completed(two.array(), seeded(1))
    assert np.count_nonzero(whole) == two.givens + 1
    assert verdict(Grid(whole.tobytes())) is Verdict.UNIQUE


def test_an_exchange_leaves_another_minimal_puzzle_that_takes_a_search_as_many_nodes() -> None:
    state, stack, out = seeded(1), workspace(), np.zeros(81, np.uint8)
    puzzle = pared(state, Symmetry.NONE, uniform(state))
    nodes = harder.exchanged(state, 1_000, 5, puzzle, stack, out)
    assert nodes == harder.nodes_of(out, stack) >= 5
    assert not np.array_equal(out, puzzle)
    assert is_minimal(Grid(out.tobytes()))
