"""The scheme of "dig-hole": givens, fewest givens in a line, searches of a plain depth-first search.

Source: Xue, Jiang, Li, section 4 and table 1; `weights` chooses the numbers it leaves open.
"""

from __future__ import annotations

from typing import Final

from ..grid import Grid
from ..search.depth_first import searches
from ..search.searcher import MOST_NODES
from . import weights
from .lines import Figures, Scale
from .scheme import Scheme, Subject

SCALE: Final = Scale(
    weights.GIVENS_AND_SEARCH,
    weights.GIVENS_OF_LEVEL,
    weights.FEWEST_IN_LINE_OF_LEVEL,
    weights.SEARCHES_FROM,
    weights.LEVELS,
)


def figures(grid: Grid, most_nodes: int = MOST_NODES) -> Figures | None:
    """Return every figure of a grid with one solution.

    Stops at 1,000,000 searches, since more would score the same; None if `most_nodes` is less and is
    exceeded.
    """
    return SCALE.figures(grid, most_nodes, searches)


def _score(subject: Subject) -> float | None:
    """Return 0..5 in tenths; None as `figures`."""
    found = figures(subject.grid)
    return None if found is None else found.score


SCHEMES: Final = (Scheme("givens_and_search", _score, of_candidates=False, by_default=False),)
