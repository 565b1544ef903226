"""Puzzles made by hand: the state of a layout, completing, thinning out, shapes, a technique."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.errors import RecipeError
from engine.generation import by_hand
from engine.generation.symmetry import Symmetry

EMPTY = engine.parse("." * 81)
EASY = engine.parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
HEART = frozenset(
    at
    for at, sign in enumerate(
        ".XX...XX.XX.X.X.XXX...X...XXX.....XXX...X...X.XX...XX...X...X....XX.XX......X...."
    )
    if sign == "X"
)
SYMMETRIES = st.sampled_from([each.value for each in Symmetry])


def cells_of(grid: engine.Grid) -> frozenset[int]:
    return frozenset(cell for cell in range(81) if grid[cell])


def without(grid: engine.Grid, cells: frozenset[int]) -> engine.Grid:
    return engine.Grid(bytes(0 if cell in cells else grid[cell] for cell in range(81)))


@settings(max_examples=30, deadline=None)
@given(st.frozensets(st.integers(0, 80), max_size=30), st.integers(0, 3))
def test_the_outlook_is_what_trying_every_digit_shows(gone: frozenset[int], wrong: int) -> None:
    digits = bytearray(without(EASY, gone).array().tobytes())
    for cell in range(wrong):  # sometimes without any solution
        digits[cell] = digits[cell] or 9 - cell
    grid = engine.Grid(bytes(digits))
    found = by_hand.outlook(grid)
    assert found.solutions == engine.solution_count(grid, by_hand.MOST_COUNTED + 1)
    for cell in range(0, 81, 7):
        able = set()
        for digit in range(1, 10):
            tried = bytearray(digits)
            tried[cell] = digit
            if digits[cell] in (0, digit) and engine.solution(engine.Grid(bytes(tried))) is not None:
                able.add(digit)
        assert found.digits[cell] == able


@settings(max_examples=20, deadline=None)
@given(st.frozensets(st.integers(0, 80), max_size=60), SYMMETRIES, st.integers(0, 2**40))
def test_completing_keeps_every_given_and_leaves_one_solution(
    gone: frozenset[int], symmetry: str, seed: int
) -> None:
    grid = without(EASY, gone)
    made = by_hand.completed(grid, seed, symmetry=symmetry)
    assert made is not None
    assert engine.verdict(made) is engine.Verdict.UNIQUE
    assert all(made[cell] == grid[cell] for cell in cells_of(grid))
    assert made == by_hand.completed(grid, seed, symmetry=symmetry)


@pytest.mark.parametrize("seed", range(5))
def test_a_heart_of_31_givens_becomes_unique_and_keeps_what_is_locked(seed: int) -> None:
    assert len(HEART) == 31
    locked = {1: 5, 9: 3, 40: 7}
    grid = engine.Grid(bytes(locked.get(cell, 0) for cell in range(81)))
    made = by_hand.completed(grid, seed, locked=locked, shape=HEART)
    assert made is not None
    assert engine.verdict(made) is engine.Verdict.UNIQUE
    assert cells_of(made) == HEART | locked.keys()
    assert all(made[cell] == digit for cell, digit in locked.items())


def test_a_shape_that_no_digits_can_make_unique_is_refused() -> None:
    with pytest.raises(RecipeError, match="c1 and c2 empty"):
        by_hand.completed(EMPTY, 1, shape=[cell for cell in range(81) if cell % 9 > 1])
    with pytest.raises(RecipeError, match="r7 and r9 empty"):
        by_hand.completed(EMPTY, 1, shape=[cell for cell in range(81) if cell // 9 not in (6, 8)])
    with pytest.raises(RecipeError, match="17 cells"):
        by_hand.completed(EMPTY, 1, shape=range(16))


def test_what_has_no_solution_cannot_be_completed_and_a_stop_ends_the_search() -> None:
    assert by_hand.completed(engine.parse("11" + "." * 79), 1) is None
    assert by_hand.completed(EMPTY, 1, shape=HEART, stop=lambda: True) is None
    assert by_hand.needing(EMPTY, "x_wing", 1, stop=lambda: True) is None


@settings(max_examples=20, deadline=None)
@given(SYMMETRIES, st.frozensets(st.integers(0, 80), max_size=12), st.integers(0, 2**40))
def test_thinning_keeps_locks_and_symmetry_and_the_only_solution(
    symmetry: str, locked: frozenset[int], seed: int
) -> None:
    full = engine.solution(EASY)
    assert full is not None
    made = by_hand.thinned(full, seed, locked=locked, symmetry=symmetry)
    assert engine.solution(made) == full
    assert engine.verdict(made) is engine.Verdict.UNIQUE
    assert all(made[cell] for cell in locked)
    ties = Symmetry(symmetry)
    assert all(
        bool(made[cell]) == bool(made[image])
        for cell in range(81)
        for image in ties.images(cell)
        if not {*ties.images(cell)} & locked
    )
    few = by_hand.thinned(full, seed, fewest=70)
    assert few.givens == 70
    if symmetry == "none" and not locked:
        assert engine.is_minimal(made)


def test_a_puzzle_around_locked_givens_needs_an_x_wing() -> None:
    ends = time.monotonic() + 120
    locked = {0: 8, 80: 3}
    grid = engine.Grid(bytes(locked.get(cell, 0) for cell in range(81)))
    made = by_hand.needing(
        grid, "x_wing", 7, locked=locked, symmetry="half_turn", stop=lambda: time.monotonic() > ends
    )
    assert made is not None
    assert "x_wing" in engine.rate(made).counts
    assert all(made[cell] == digit for cell, digit in locked.items())
