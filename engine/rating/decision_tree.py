"""The minimum-candidates scheme: givens, fewest givens in a line, layouts of the decision tree.

Source: Creating Sudoku Puzzles, 5.3; the text breaks off, and `weights` chooses the rest.
"""

from __future__ import annotations

from typing import Final

from ..grid import Grid
from ..search.min_candidates import tree_nodes
from ..search.searcher import MOST_NODES
from . import weights
from .lines import Figures, Scale
from .scheme import Scheme, Subject

SCALE: Final = Scale(
    weights.DECISION_TREE,
    weights.GIVENS_OF_GRADE,
    weights.FEWEST_IN_LINE_OF_GRADE,
    weights.NODES_FROM,
    weights.GRADES,
)


def figures(grid: Grid, most_nodes: int = MOST_NODES) -> Figures | None:
    """Return every figure of a grid with one solution.

    Stops at 1,800 layouts, since more would score the same; None if `most_nodes` is less and is exceeded.
    """
    return SCALE.figures(grid, most_nodes, tree_nodes)


def _grade(subject: Subject) -> int | None:
    """Return the grade 1..4; None as `figures`."""
    found = figures(subject.grid)
    return None if found is None else found.level


SCHEMES: Final = (Scheme("decision_tree", _grade, of_candidates=False, by_default=False),)
