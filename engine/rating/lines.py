"""Measures of how givens are distributed, for two schemes of the literature; their three figures together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


@dataclass(frozen=True, slots=True)
class Scale:
    """How a scheme scores its three figures, weighs the scores and names a level."""

    weights: tuple[float, float, float]
    givens: Sequence[tuple[int, int]]  # intervals, as `interval_score` takes them
    in_line: Sequence[tuple[int, int]]
    searched: Sequence[int]  # steps, as `steps_reached` takes them
    levels: int

    def scores(self, givens: int, in_line: int, searched: int) -> tuple[int, int, int]:
        """What each of the three numbers scores."""
        return (
            interval_score(givens, self.givens),
            interval_score(in_line, self.in_line),
            steps_reached(searched, self.searched),
        )

    def weighted(self, givens: int, in_line: int, searched: int) -> float:
        """The weighted sum of the scores, in tenths."""
        pairs = zip(self.weights, self.scores(givens, in_line, searched), strict=True)
        return round(sum(weight * score for weight, score in pairs), 1)

    def level(self, score: float) -> int:
        """From 1: the integer part of a weighted sum and one more, at most the highest level."""
        return min(self.levels, int(score) + 1)

    def figures(
        self, grid: Grid, most_nodes: int, count: Callable[[Grid, int], int | None]
    ) -> Figures | None:
        """Every figure of a grid with one solution.

        count: how many searches a grid takes, None above the bound it is given. It is left where more would
        score the same, at the last step; None where `most_nodes` is fewer and is exceeded.
        """
        enough = self.searched[-1]
        searched = count(grid, min(most_nodes, enough))
        if searched is None and most_nodes < enough:
            return None
        three = grid.givens, fewest_in_line(grid), enough if searched is None else searched
        score = self.weighted(*three)
        return Figures(*three, searched is None, self.scores(*three), score, self.level(score))


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
