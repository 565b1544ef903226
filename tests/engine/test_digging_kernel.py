"""The digging kernel: which cells it may empty, and which it must keep."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine import Grid, solution, solution_count
from engine.kernels.bitboard import workspace
from engine.kernels.digging import dig
from tests.engine.test_bitboard import ANSWER, UNIQUE

Order = NDArray[np.int64]
orders = st.permutations(range(81)).map(lambda cells: np.array(cells).reshape(-1, 1))
laws = settings(max_examples=15, deadline=None)


def is_minimal(puzzle: Grid) -> bool:
    """Tell whether the puzzle has several solutions once any given is removed."""
    without = [puzzle.digits[:cell] + b"\0" + puzzle.digits[cell + 1 :] for cell in range(81) if puzzle[cell]]
    return all(solution_count(Grid(digits)) == 2 for digits in without)


def dug(
    order: Order, *, start: Grid = ANSWER, fewest: int = 0, fewest_in_line: int = 0, fewest_in_box: int = 0
) -> Grid:
    out = start.array()
    left = dig(ANSWER.array(), order, fewest, fewest_in_line, fewest_in_box, workspace(), out)
    puzzle = Grid(out.tobytes())
    assert puzzle.givens == left
    assert all(given in (0, digit) for given, digit in zip(puzzle.digits, ANSWER.digits, strict=True))
    return puzzle


@given(orders)
@laws
def test_digging_every_cell_leaves_a_minimal_puzzle(order: Order) -> None:
    puzzle = dug(order)
    assert solution_count(puzzle) == 1 and solution(puzzle) == ANSWER
    assert is_minimal(puzzle)


@given(orders, st.integers(17, 81))
@laws
def test_digging_stops_at_the_fewest_givens(order: Order, fewest: int) -> None:
    puzzle = dug(order, fewest=fewest)
    assert puzzle.givens >= fewest
    assert puzzle.givens == fewest or is_minimal(puzzle)


@given(orders, st.integers(0, 9))
@laws
def test_every_row_and_column_keeps_its_fewest(order: Order, fewest: int) -> None:
    square = np.frombuffer(dug(order, fewest_in_line=fewest).digits, np.uint8).reshape(9, 9) > 0
    assert square.sum(0).min() >= fewest and square.sum(1).min() >= fewest


@given(orders, st.integers(0, 9))
@laws
def test_every_box_keeps_its_fewest(order: Order, fewest: int) -> None:
    puzzle = dug(order, fewest_in_box=fewest)
    boxes = Counter(cell // 27 * 3 + cell % 9 // 3 for cell in range(81) if puzzle[cell])
    assert all(boxes[box] >= fewest for box in range(9))


@pytest.mark.kernel
def test_cells_are_tried_in_the_order_given() -> None:
    assert dug(np.array([[3], [40]]), fewest=80).digits.index(0) == 3
    assert dug(np.array([[40], [3]]), fewest=80).digits.index(0) == 40


@given(orders)
@laws
def test_a_group_is_emptied_together_or_not_at_all(order: Order) -> None:
    groups = np.array([sorted({cell, 80 - cell}) for cell in range(40)] + [[40, -1]])
    puzzle = dug(groups[order[order < 41]])
    assert solution_count(puzzle) == 1
    assert all((puzzle[cell] == 0) == (puzzle[80 - cell] == 0) for cell in range(81))
    for cell in range(81):  # and no other pair can be emptied
        if puzzle[cell]:
            digits = bytearray(puzzle.digits)
            digits[cell] = digits[80 - cell] = 0
            assert solution_count(Grid(bytes(digits))) == 2


@pytest.mark.kernel
def test_a_group_that_would_pass_the_fewest_stays_whole() -> None:
    assert dug(np.array([[0, 80], [40, -1]]), fewest=80).digits.index(0) == 40


@given(orders)
@laws
def test_digging_goes_on_from_a_puzzle(order: Order) -> None:
    puzzle = dug(order, start=UNIQUE)
    assert all(kept in (0, before) for kept, before in zip(puzzle.digits, UNIQUE.digits, strict=True))
    assert is_minimal(puzzle)


@pytest.mark.kernel
def test_nothing_to_dig_changes_nothing() -> None:
    assert dug(np.empty((0, 1), np.int64)) == ANSWER
