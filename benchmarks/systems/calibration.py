"""The paper of the weighted rules beside ours: how its intervals were chosen, and how they were tested.

It used 100 puzzles of each of the five levels of two programs that we do not have, KLSudoku and Dr. Sudoku
(数独博士). Five bands of the Explainer's rating stand in for the first, HoDoKu's for the second; the
puzzles are random minimal ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from math import sqrt
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine import Position, Recipe, generate
from engine.rating import explainer, hodoku, weighted_rules
from engine.rating.weighted_rules import RulesRating

LEVELS: Final = 5
MOST_OF_BAND = (1.5, 2.5, 4.0, 6.2)  # the highest ER of the first four bands

Table = NDArray[np.int64]  # [LEVELS, LEVELS]: rows are the levels by D, columns those of the other program

# Table 1: mean uses of rules 1 to 14, a row for each level of KLSudoku, on which it was calibrated.
PAPER_COUNTS: Final = (
    (37.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    (60.0, 0.0, 1.8, 0.4, 0.4, 3.7, 0.0, 0.1, 14.5, 0.0, 0.0, 0.0, 0.0, 0.0),
    (61.6, 0.0, 3.0, 1.0, 1.0, 10.7, 0.1, 0.6, 47.8, 0.1, 0.1, 0.0, 0.1, 0.1),
    (55.3, 0.0, 1.9, 0.6, 0.3, 11.7, 0.0, 0.4, 57.0, 2.4, 0.5, 0.2, 0.7, 0.5),
    (53.2, 0.0, 1.8, 0.6, 0.2, 13.8, 0.0, 0.5, 37.0, 3.4, 0.4, 0.9, 1.0, 1.3),
)
PAPER_DIFFICULTIES: Final = ("1.0", "3.0", "5.1", "9.7", "13.9")  # table 1's last row, as printed
# Table 2: puzzles of each level of Dr. Sudoku, on which it was tested, by the level that D gives them. The
# second column sums to 101, as printed; with 15 for its 16 the paper's own chi-square comes out.
PAPER_TABLE: Final[Table] = np.array(
    [
        [98, 0, 0, 0, 0],
        [1, 84, 38, 0, 0],
        [1, 16, 57, 7, 0],
        [0, 1, 2, 59, 46],
        [0, 0, 3, 34, 54],
    ]
)
MENDED_TABLE: Final[Table] = np.where(PAPER_TABLE == 16, 15, PAPER_TABLE)


def chi_square(table: Table) -> float:
    """Return Pearson's statistic of the independence of rows and columns; empty rows and columns add
    nothing.
    """
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / table.sum()
    there = expected > 0
    return float((((table - expected) ** 2)[there] / expected[there]).sum())


def contingency_coefficient(table: Table) -> float:
    """Return Pearson's C = sqrt(K / (K + N)), which the paper prints as r."""
    statistic = chi_square(table)
    return sqrt(statistic / (statistic + int(table.sum())))


def gamma(table: Table) -> float:
    """Return Goodman and Kruskal's gamma over the pairs that differ both ways: concordant share less
    discordant share.
    """
    agree = disagree = 0
    for row, column in np.ndindex(table.shape):
        agree += int(table[row, column] * table[row + 1 :, column + 1 :].sum())
        disagree += int(table[row, column] * table[row + 1 :, :column].sum())
    return (agree - disagree) / (agree + disagree)


def of_each_level(level_by: Callable[[Position], int | None], puzzles: int) -> list[list[RulesRating]]:
    """Return D of the first random minimal puzzles, `puzzles` of each level 1 to LEVELS that `level_by`
    gives.
    """
    found: list[list[RulesRating]] = [[] for _ in range(LEVELS)]
    seeds = count()
    while any(len(those) < puzzles for those in found):
        position = Position.from_grid(generate(Recipe(minimal=True), next(seeds)).grid)
        level = level_by(position)
        if level is not None and len(found[level - 1]) < puzzles:
            rated = weighted_rules.rating_in_form(position.grid)
            assert rated is not None, f"a bound was passed: {position.grid}"
            found[level - 1].append(rated)
    return found


def explainers_level(position: Position) -> int | None:
    """Return the band of the ER, from 1."""
    found = explainer.rating_of(explainer.order().walk(position))
    return 1 + sum(found.rating > most for most in MOST_OF_BAND) if found else None


def hodokus_level(position: Position) -> int | None:
    """Return HoDoKu's level."""
    found = hodoku.rating_of(hodoku.order().walk(position))
    return found.level if found else None


def mean_counts(ratings: Sequence[RulesRating]) -> list[float]:
    """Return the mean uses of rules 1 to 14."""
    return [fmean(uses) for uses in zip(*(one.counts for one in ratings), strict=True)]


def table_of(rated: Sequence[Sequence[RulesRating]]) -> Table:
    """Count the puzzles by their level (columns) and the level that D gives them (rows)."""
    return np.array(
        [[sum(one.level == row for one in those) for those in rated] for row in range(1, LEVELS + 1)]
    )


def own_share(table: Table) -> float:
    """Return the share of all puzzles that D puts into their own level."""
    return float(np.trace(table) / table.sum())
