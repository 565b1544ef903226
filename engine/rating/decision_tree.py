"""The scheme of the minimum candidates: givens, fewest givens in a line, layouts of the decision tree.

Source: Creating Sudoku Puzzles, 5.3; the text breaks off, what it leaves open is chosen in `weights`.
"""

from __future__ import annotations

from typing import Final

from engine.grid import Grid
from engine.rating import weights
from engine.rating.lines import Figures, Scale
from engine.rating.scheme import Scheme
from engine.search.min_candidates import tree_nodes
from engine.search.searcher import MOST_NODES

_SCALE: Final = Scale(
    weights.DECISION_TREE,
    weights.GIVENS_OF_GRADE,
    weights.FEWEST_IN_LINE_OF_GRADE,
    weights.NODES_FROM,
    weights.GRADES,
)


def weighted(givens: int, in_line: int, nodes: int) -> float:
    """0..4 from the three numbers."""
    return _SCALE.weighted(givens, in_line, nodes)


def grade(weighted_sum: float) -> int:
    """1..4: the integer part and one more, at most 4."""
    return _SCALE.level(weighted_sum)


def figures(grid: Grid, most_nodes: int = MOST_NODES) -> Figures | None:
    """Every figure of a grid with one solution.

    The tree is left where more layouts would score the same, at 1,800; None where `most_nodes` is fewer and
    is exceeded.
    """
    return _SCALE.figures(grid, most_nodes, tree_nodes)


def score(grid: Grid, most_nodes: int = MOST_NODES) -> int | None:
    """The grade 1..4 of a grid with one solution; None as `figures`."""
    found = figures(grid, most_nodes)
    return None if found is None else found.level


SCHEMES: Final = (
    Scheme("decision_tree", lambda subject: score(subject.grid), of_candidates=False, by_default=False),
)
