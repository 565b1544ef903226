"""Grid: 81 digits and their properties that need no search."""

from __future__ import annotations

import pytest

from engine import Grid, PuzzleFormatError, parse
from engine.grid import Fault


def test_a_grid_prints_as_its_line() -> None:
    grid = Grid.from_digits([0] * 80 + [7])
    assert str(grid) == "." * 80 + "7"


def test_a_repr_can_be_pasted_back() -> None:
    grid = Grid.from_digits([5] + [0] * 80)
    assert eval(repr(grid), {"parse": parse}) == grid


def test_another_number_of_cells_than_81_is_refused() -> None:
    with pytest.raises(PuzzleFormatError, match="expected 81 cells, found 80"):
        Grid(bytes(80))


def test_a_digit_above_nine_is_refused_at_its_cell() -> None:
    with pytest.raises(PuzzleFormatError) as refused:
        Grid(bytes(40) + b"\x0a" + bytes(40))
    assert (refused.value.cell, refused.value.character) == (40, "10")


def test_a_grid_counts_its_givens() -> None:
    assert Grid.from_digits([1, 2, 3] + [0] * 78).givens == 3


def test_a_grid_is_full_when_no_cell_is_empty() -> None:
    assert Grid(b"\x01" * 81).full
    assert not Grid(b"\x01" * 80 + b"\x00").full


def test_the_array_is_a_copy() -> None:
    grid = Grid(bytes(81))
    grid.array()[0] = 9
    assert grid[0] == 0


def test_a_cell_is_a_number_or_a_row_and_a_column() -> None:
    grid = parse("." * 10 + "5" + "." * 70)
    assert grid[10] == grid[1, 1] == 5
    for outside in (81, (9, 0), (0, -1)):
        with pytest.raises(IndexError):
            grid[outside]
    with pytest.raises(TypeError):
        grid[1, 1, 1]  # type: ignore[index]


def test_faults_name_every_broken_house_at_once() -> None:
    grid = parse("55......." + "." * 63 + "5........")
    assert grid.faults() == [Fault(0, 5, (0, 1)), Fault(9, 5, (0, 72)), Fault(18, 5, (0, 1))]


def test_a_fault_speaks() -> None:
    assert str(Fault(10, 3, (1, 19))) == "column 2: 3 appears in r1c2, r3c2"


def test_a_grid_within_the_rules_has_no_faults() -> None:
    assert parse("123456789" + "." * 72).faults() == []
