"""Positions: the candidates of a grid, a player's marks, and their errors."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.position import Position
from tests import reference

PUZZLE = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."

pytestmark = pytest.mark.kernel


def test_a_grid_leaves_the_digits_no_peer_holds() -> None:
    position = Position.from_grid(engine.parse(PUZZLE))
    assert position.candidates(0) == (4, 6, 9)
    assert position.candidates(3) == ()


def test_pencilmarks_round_trip() -> None:
    position = Position.from_grid(engine.parse(PUZZLE))
    assert Position.from_pencilmarks(position.pencilmarks(), position.grid, position.givens) == position


def test_a_lone_mark_without_placed_digits_is_a_candidate() -> None:
    position = Position.from_pencilmarks("1" + 8 * "." + 80 * "123456789")
    assert position.candidates(0) == (1,)
    assert position.grid[0] == 0


def test_a_mark_that_a_placed_digit_sees_is_dropped() -> None:
    grid = engine.parse("1" + 80 * ".")
    assert Position.from_pencilmarks(81 * "123456789", grid).candidates(1) == (2, 3, 4, 5, 6, 7, 8, 9)


def test_a_strange_character_is_named_with_its_cell() -> None:
    with pytest.raises(engine.PuzzleFormatError, match=r"r1c2: expected 1, 0 or '\.', found '5'"):
        Position.from_pencilmarks(9 * "." + "5" + 719 * ".")


def test_a_wrong_digit_and_a_missing_candidate_are_reported() -> None:
    grid = engine.parse(PUZZLE)
    solution = engine.solution(grid)
    position = Position.from_grid(grid)
    wrong = next(digit for digit in position.candidates(0) if digit != solution[0])
    assert position.changed([], [(1, solution[1])]).wrong() == {(1, solution[1])}
    assert (0, wrong) in position.changed([(0, wrong)], []).wrong()
    assert position.wrong() == frozenset()


def test_a_position_is_unique_when_its_printed_digits_have_one_solution() -> None:
    grid = engine.parse(PUZZLE)
    assert Position.from_grid(grid).unique
    assert next(reference.solutions(grid.digits))
    assert not Position.from_pencilmarks(81 * "123456789").unique


def test_a_cell_without_candidates_or_a_house_without_a_place_is_broken() -> None:
    position = Position.from_grid(engine.parse(PUZZLE))
    assert not position.broken
    assert position.changed([], [(0, 4), (0, 6), (0, 9)]).broken
    places = [(cell, 3) for cell in range(9) if 3 in position.candidates(cell)]
    assert position.changed([], places).broken


@settings(max_examples=20)
@given(st.permutations(range(81)), st.integers(1, 40), st.data())
def test_the_tables_of_a_position_agree_after_any_moves(
    cells: list[int], moves: int, data: st.DataObject
) -> None:
    grid = engine.parse(PUZZLE)
    position = Position.from_grid(grid)
    for cell in cells[:moves]:
        candidates = position.candidates(cell)
        if candidates:
            digit = data.draw(st.sampled_from(candidates))
            if data.draw(st.booleans()):
                position = position.changed([(cell, digit)], [])
            else:
                position = position.changed([], [(cell, digit)])
    assert Position.from_pencilmarks(position.pencilmarks(), position.grid, grid) == position
