"""Positions for property tests: puzzles with some of their candidates removed."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from engine import Position, parse

PUZZLE: Final = parse("003020600900305001001806400008102900700000008006708200002609500800203009005010300")
START: Final = Position.from_grid(PUZZLE)
LONGEST: Final = 10_000  # more literals than any chain has


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw positions that keep every digit of the solution."""
    keep = draw(st.lists(st.integers(0, 511), min_size=81, max_size=81))
    solution = START.solution
    assert solution is not None
    marks = [mask | 1 << digit - 1 for mask, digit in zip(keep, solution.digits, strict=True)]
    return Position.from_marks(marks, PUZZLE, PUZZLE)
