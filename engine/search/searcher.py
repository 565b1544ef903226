"""The interface of every complete solver; the solvers are in this package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..arguments import whole
from ..given import grid_of
from ..grid import Grid

MOST_NODES: Final = 10_000_000
MOST_KEPT: Final = 1_000_000  # solutions of one search: 81 bytes each, and as much again as grids

_KEPT_AT_ONCE: Final = 1024


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result and cost of a search.

    >>> from engine import SEARCHERS, parse
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> found = SEARCHERS["dancing_links"](grid)
    >>> len(found.solutions), found.exceeded
    (1, False)
    """

    solutions: list[Grid]  # in the order found, up to the limit
    nodes: int  # each solver's docstring defines a node; with `exceeded`, all that were visited
    exceeded: bool  # the limit on nodes stopped the search: more solutions may exist


class Searcher(Protocol):
    """A complete solver: finds all solutions of a grid up to `limit` and never visits over `most_nodes`.

    Givens that break the rules are a grid without a solution, not an error.

    >>> from engine import SEARCHERS
    >>> sorted(SEARCHERS)[:2]
    ['bitboard', 'dancing_links']
    """

    def __call__(self, grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult: ...


def checked(searcher: Searcher) -> Searcher:
    """Return a solver that checks its arguments first."""

    @wraps(searcher)
    def search(grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
        grid = grid_of("grid", grid)
        limit = whole("limit", limit, 1, MOST_KEPT)
        return searcher(grid, limit, whole("most_nodes", most_nodes, 0, 1 << 62))

    return search


def gather(
    search: Callable[[NDArray[np.uint8]], tuple[int, int]], limit: int, most_nodes: int
) -> SearchResult:
    """Return the result of a kernel's `search(out)`, which writes solutions to uint8[k, 81] `out` and returns
    (found, nodes).

    It must count solutions up to `limit` and return most_nodes + 1 nodes if that limit stopped it.
    """
    if limit < 1:
        raise ValueError(f"expected limit >= 1, found {limit}")
    room = min(limit, _KEPT_AT_ONCE)
    while True:
        out = np.zeros((room, 81), np.uint8)
        found, nodes = search(out)
        if found <= room:
            break
        room = found  # repeat the search with space for all
    solutions = [Grid(row.tobytes()) for row in out[:found]]
    return SearchResult(solutions, min(nodes, most_nodes), nodes > most_nodes)
