"""The scheme of the minimum candidates: givens, fewest givens in a line, layouts of the decision tree.

Source: Creating Sudoku Puzzles, 5.3; the text breaks off, what it leaves open is chosen in `weights`.
"""

from __future__ import annotations

from typing import Final

from engine.grid import Grid
from engine.rating import weights
from engine.rating.lines import fewest_in_line, interval_score, steps_reached
from engine.rating.scheme import Scheme
from engine.search.min_candidates import tree_nodes
from engine.search.searcher import MOST_NODES


def weighted(givens: int, in_line: int, nodes: int) -> float:
    """0..4 from the three numbers."""
    scores = (
        interval_score(givens, weights.GIVENS_OF_GRADE),
        interval_score(in_line, weights.FEWEST_IN_LINE_OF_GRADE),
        steps_reached(nodes, weights.NODES_FROM),
    )
    pairs = zip(weights.DECISION_TREE, scores, strict=True)
    return round(sum(weight * score for weight, score in pairs), 1)


def grade(weighted_sum: float) -> int:
    """1..4: the integer part and one more, at most 4."""
    return min(weights.GRADES, int(weighted_sum) + 1)


def score(grid: Grid, most_nodes: int = MOST_NODES) -> int | None:
    """The grade 1..4 of a grid with one solution.

    The tree is left where more layouts would score the same, at 1,800; None where `most_nodes` is fewer and
    is exceeded.
    """
    enough = weights.NODES_FROM[-1]
    nodes = tree_nodes(grid, min(most_nodes, enough))
    if nodes is None:
        if most_nodes < enough:
            return None
        nodes = enough
    return grade(weighted(grid.givens, fewest_in_line(grid), nodes))


SCHEMES: Final = (Scheme("decision_tree", lambda subject: score(subject.grid), by_default=False),)
