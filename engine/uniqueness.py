"""Whether a puzzle has no solution, one or several."""

from __future__ import annotations

from .given import Given
from .search.bitboard import solution_count
from .verdicts import Verdict


def verdict(grid: Given) -> Verdict:
    """Return whether `grid` has no, one or several solutions; NONE if its givens break the rules.

    For a Position, how many its candidates allow.

    >>> from engine import parse, verdict
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> verdict(grid)
    <Verdict.UNIQUE: 'unique'>
    """
    return (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)[solution_count(grid)]
