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
from .scheme import Scheme

_SCALE: Final = Scale(
    weights.GIVENS_AND_SEARCH,
    weights.GIVENS_OF_LEVEL,
    weights.FEWEST_IN_LINE_OF_LEVEL,
    weights.SEARCHES_FROM,
    weights.LEVELS,
)


def weighted(givens: int, in_line: int, searched: int) -> float:
    """Return 0..5 from the three numbers; 22 givens, an empty row and 263,734 searches are 4.7.

    >>> weighted(22, 0, 263_734)
    4.7
    """
    return _SCALE.weighted(givens, in_line, searched)


def figures(grid: Grid, most_nodes: int = MOST_NODES) -> Figures | None:
    """Return every figure of a grid with one solution.

    Stops at 1,000,000 searches, since more would score the same; None if `most_nodes` is less and is
    exceeded.
    """
    return _SCALE.figures(grid, most_nodes, searches)


def score(grid: Grid, most_nodes: int = MOST_NODES) -> float | None:
    """Return 0..5 in tenths for a grid with one solution; None as `figures`."""
    found = figures(grid, most_nodes)
    return None if found is None else found.score


def level(score: float) -> int:
    """Return 1..5: the integer part plus one, at most 5."""
    return _SCALE.level(score)


SCHEMES: Final = (
    Scheme("givens_and_search", lambda subject: score(subject.grid), of_candidates=False, by_default=False),
)
