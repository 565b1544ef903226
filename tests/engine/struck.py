"""Positions with some of their candidates removed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from hypothesis import strategies as st

from engine import Position, parse
from engine.geometry import HOUSES

PUZZLE: Final = parse("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
START: Final = Position.from_grid(PUZZLE)
LONGEST: Final = 10_000  # more literals than any chain has


def of_cells(cells: Mapping[int, str]) -> Position:
    """Return an empty grid on which only `cells` have candidates."""
    return Position.from_pencilmarks(
        "".join(digit if digit in cells.get(cell, "") else "." for cell in range(81) for digit in "123456789")
    )


def of_fives(kept: Mapping[int, Collection[int]]) -> Position:
    """Return an empty grid with 5 possible everywhere, but in some houses (0..26) only in the cells kept."""
    gone = {(cell, 5) for house, cells in kept.items() for cell in HOUSES[house] if cell not in cells}
    return Position.from_grid(parse(81 * ".")).changed([], gone)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw positions that keep every digit of the solution."""
    keep = draw(st.lists(st.integers(0, 511), min_size=81, max_size=81))
    solution = START.solution
    assert solution is not None
    marks = [mask | 1 << digit - 1 for mask, digit in zip(keep, solution.digits, strict=True)]
    return Position.from_marks(marks, PUZZLE, PUZZLE)
