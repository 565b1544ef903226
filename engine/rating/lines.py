"""The schemes of "dig-hole" and of the minimum candidates: givens, fewest givens in a line, size of a search.

Sources: Xue, Jiang, Li, section 4 and table 1; Creating Sudoku Puzzles, 5.3. `weights` chooses what they
leave open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from ..canonical import canonical_form
from ..grid import Grid
from ..search.depth_first import searches
from ..search.min_candidates import tree_nodes
from ..search.searcher import MOST_NODES
from . import weights
from .scheme import Scheme, Subject


@dataclass(frozen=True, slots=True)
class Figures:
    """Three figures of a puzzle, the score of each, and the result."""

    givens: int
    fewest_in_line: int
    searched: int  # in the canonical form: searches of the plain search, or layouts of the decision tree
    at_least: bool  # `searched` stopped there, since more would score the same
    scores: tuple[int, int, int]  # of the three, in this order
    score: float  # their weighted sum
    level: int  # from 1


@dataclass(frozen=True, slots=True)
class Scale:
    """How a scheme scores its three figures, weights the scores and names a level."""

    weights: tuple[float, float, float]
    givens: Sequence[tuple[int, int]]  # intervals: the first scores 1, the second 2 ...
    in_line: Sequence[tuple[int, int]]
    searched: Sequence[int]  # ascending steps: each one reached scores 1
    levels: int
    count: Callable[[Grid, int], int | None]  # the size of a grid's search, None above a limit

    def scores(self, givens: int, in_line: int, searched: int) -> tuple[int, int, int]:
        """Return the scores of the three numbers."""
        return (
            sum(givens <= high for _, high in self.givens),
            sum(in_line <= high for _, high in self.in_line),
            sum(searched >= step for step in self.searched),
        )

    def weighted(self, givens: int, in_line: int, searched: int) -> float:
        """Return the weighted sum of the scores, in tenths."""
        pairs = zip(self.weights, self.scores(givens, in_line, searched), strict=True)
        return round(sum(weight * score for weight, score in pairs), 1)

    def level(self, score: float) -> int:
        """Return the level from 1: the integer part of a weighted sum plus one, up to the highest level."""
        return min(self.levels, int(score) + 1)

    def figures(self, grid: Grid, most_nodes: int = MOST_NODES) -> Figures | None:
        """Return every figure of a grid with one solution, with its search in the canonical form.

        A search depends on the order of cells and digits; equivalent puzzles share that form and its figure.
        The search stops at the last step, since more would score the same; None if `most_nodes` is less and
        is exceeded.
        """
        enough = self.searched[-1]
        searched = self.count(canonical_form(grid), min(most_nodes, enough))
        if searched is None and most_nodes < enough:
            return None
        three = grid.givens, fewest_in_line(grid), enough if searched is None else searched
        score = self.weighted(*three)
        return Figures(*three, searched is None, self.scores(*three), score, self.level(score))


def fewest_in_line(grid: Grid) -> int:
    """Return the fewest givens of any row or column, 0..9."""
    lines = [grid.digits[9 * row : 9 * row + 9] for row in range(9)]
    lines += [grid.digits[column::9] for column in range(9)]
    return min(9 - line.count(0) for line in lines)


GIVENS_AND_SEARCH: Final = Scale(
    weights.GIVENS_AND_SEARCH,
    weights.GIVENS_OF_LEVEL,
    weights.FEWEST_IN_LINE_OF_LEVEL,
    weights.SEARCHES_FROM,
    weights.LEVELS,
    searches,
)
DECISION_TREE: Final = Scale(
    weights.DECISION_TREE,
    weights.GIVENS_OF_GRADE,
    weights.FEWEST_IN_LINE_OF_GRADE,
    weights.NODES_FROM,
    weights.GRADES,
    tree_nodes,
)


def _score(scale: Scale, name: str, subject: Subject) -> float | None:
    """Return the score 0..5 in tenths, or the grade 1..4; None as `Scale.figures`."""
    score: float | None = getattr(scale.figures(subject.grid), name, None)
    return score


SCHEMES: Final = tuple(
    Scheme(key, partial(_score, scale, name), of_candidates=False, by_default=False)
    for key, scale, name in (
        ("givens_and_search", GIVENS_AND_SEARCH, "score"),
        ("decision_tree", DECISION_TREE, "level"),
    )
)
