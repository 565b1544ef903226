"""The scheme of "dig-hole": givens, fewest givens in a line, searches of a plain depth-first search.

Source: Xue, Jiang, Li, section 4 and table 1; the numbers it leaves open are chosen in `weights`.
"""

from __future__ import annotations

from typing import Final

from engine.grid import Grid
from engine.rating import weights
from engine.rating.lines import Figures, Scale
from engine.rating.scheme import Scheme
from engine.search.depth_first import searches
from engine.search.searcher import MOST_NODES

_SCALE: Final = Scale(
    weights.GIVENS_AND_SEARCH,
    weights.GIVENS_OF_LEVEL,
    weights.FEWEST_IN_LINE_OF_LEVEL,
    weights.SEARCHES_FROM,
    weights.LEVELS,
)


def weighted(givens: int, in_line: int, searched: int) -> float:
    """0..5 from the three numbers; 22 givens, an empty row and 263,734 searches are 4.7.

    >>> weighted(22, 0, 263_734)
    4.7
    """
    return _SCALE.weighted(givens, in_line, searched)


def figures(grid: Grid, most_nodes: int = MOST_NODES) -> Figures | None:
    """Every figure of a grid with one solution.

    The search stops where more searches would score the same, at 1,000,000; None where `most_nodes` is fewer
    and is exceeded.
    """
    return _SCALE.figures(grid, most_nodes, searches)


def score(grid: Grid, most_nodes: int = MOST_NODES) -> float | None:
    """0..5 in tenths for a grid with one solution; None as `figures`."""
    found = figures(grid, most_nodes)
    return None if found is None else found.score


def level(score: float) -> int:
    """1..5: the integer part and one more, at most 5."""
    return _SCALE.level(score)


SCHEMES: Final = (
    Scheme("givens_and_search", lambda subject: score(subject.grid), of_candidates=False, by_default=False),
)
