"""Measures of how givens are distributed, for two schemes of the literature; their three figures together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.grid import Grid


@dataclass(frozen=True, slots=True)
class Figures:
    """Three figures of a puzzle, what each scores, and what comes of it."""

    givens: int
    fewest_in_line: int
    searched: int  # searches of the plain search, or layouts of the decision tree
    at_least: bool  # `searched` was left there, since more would score the same
    scores: tuple[int, int, int]  # of the three, in this order
    score: float  # their weighted sum
    level: int  # from 1


def fewest_in_line(grid: Grid) -> int:
    """The fewest givens of any row or column, 0..9."""
    lines = [grid.digits[9 * row : 9 * row + 9] for row in range(9)]
    lines += [grid.digits[column::9] for column in range(9)]
    return min(9 - line.count(0) for line in lines)


def interval_score(value: int, intervals: Sequence[tuple[int, int]]) -> int:
    """Return 1 for the first interval, 2 for the second ...; 0 above the first, the last's score below it."""
    return sum(value <= high for _, high in intervals)


def steps_reached(value: int, steps: Sequence[int]) -> int:
    """How many of the ascending `steps` a value has reached."""
    return sum(value >= step for step in steps)
