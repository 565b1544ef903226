"""The scheme of the minimum candidates: givens, fewest givens in a line, layouts of the decision tree.

Source: Creating Sudoku Puzzles, 5.3; the text breaks off, what it leaves open is chosen in `weights`.
"""

from __future__ import annotations

from typing import Final

from engine.grid import Grid
from engine.rating import weights
from engine.rating.lines import Figures, fewest_in_line, interval_score, steps_reached
from engine.rating.scheme import Scheme
from engine.search.min_candidates import tree_nodes
from engine.search.searcher import MOST_NODES


def _scores(givens: int, in_line: int, nodes: int) -> tuple[int, int, int]:
    return (
        interval_score(givens, weights.GIVENS_OF_GRADE),
        interval_score(in_line, weights.FEWEST_IN_LINE_OF_GRADE),
        steps_reached(nodes, weights.NODES_FROM),
    )


def weighted(givens: int, in_line: int, nodes: int) -> float:
    """0..4 from the three numbers."""
    pairs = zip(weights.DECISION_TREE, _scores(givens, in_line, nodes), strict=True)
    return round(sum(weight * score for weight, score in pairs), 1)


def grade(weighted_sum: float) -> int:
    """1..4: the integer part and one more, at most 4."""
    return min(weights.GRADES, int(weighted_sum) + 1)


def figures(grid: Grid, most_nodes: int = MOST_NODES) -> Figures | None:
    """Every figure of a grid with one solution.

    The tree is left where more layouts would score the same, at 1,800; None where `most_nodes` is fewer and
    is exceeded.
    """
    enough = weights.NODES_FROM[-1]
    nodes = tree_nodes(grid, min(most_nodes, enough))
    if nodes is None and most_nodes < enough:
        return None
    three = grid.givens, fewest_in_line(grid), enough if nodes is None else nodes
    score = weighted(*three)
    return Figures(*three, nodes is None, _scores(*three), score, grade(score))


def score(grid: Grid, most_nodes: int = MOST_NODES) -> int | None:
    """The grade 1..4 of a grid with one solution; None as `figures`."""
    found = figures(grid, most_nodes)
    return None if found is None else found.level


SCHEMES: Final = (Scheme("decision_tree", lambda subject: score(subject.grid), by_default=False),)
