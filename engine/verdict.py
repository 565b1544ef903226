"""Verdict: how many solutions a grid has, as far as anybody needs to know."""

from __future__ import annotations

from enum import Enum

from engine.grid import Grid
from engine.search.bitboard import Pencilled, solution_count


class Verdict(Enum):
    """A contradiction is an answer, not an error."""

    NONE = "none"
    UNIQUE = "unique"
    MULTIPLE = "multiple"


def verdict(grid: Grid | Pencilled) -> Verdict:
    """Whether `grid` has no, one or several solutions; givens that break the rules answer NONE.

    Of a Position, how many of them its candidates allow.
    """
    return (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)[solution_count(grid)]
