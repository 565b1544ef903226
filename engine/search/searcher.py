"""What every complete solver takes and answers; the solvers themselves are its neighbours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.arguments import instance, whole
from engine.grid import Grid

MOST_NODES: Final = 10_000_000
MOST_KEPT: Final = 1_000_000  # solutions of one search: 81 bytes each, and as many again as grids

_KEPT_AT_ONCE: Final = 1024


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, and what it cost."""

    solutions: list[Grid]  # in the order found, at most the limit asked for
    nodes: int  # what one node is, each solver's docstring says; with `exceeded`, all that were visited
    exceeded: bool  # the bound on nodes cut the search: more solutions may exist


class Searcher(Protocol):
    """A complete solver: finds all solutions of a grid up to `limit` and never visits over `most_nodes`.

    Givens that break the rules are a grid without a solution, not an error.
    """

    def __call__(self, grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult: ...


def checked(searcher: Searcher) -> Searcher:
    """A solver that checks its arguments first."""

    @wraps(searcher)
    def search(grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
        instance("grid", grid, Grid)
        limit = whole("limit", limit, 1, MOST_KEPT)
        return searcher(grid, limit, whole("most_nodes", most_nodes, 0, 1 << 62))

    return search


def gather(
    search: Callable[[NDArray[np.uint8]], tuple[int, int]], limit: int, most_nodes: int
) -> SearchResult:
    """The result of a kernel's `search(out)`: solutions left in uint8[k, 81] `out`, (found, nodes) returned.

    It must count solutions up to `limit` and report most_nodes + 1 nodes where that bound cut it.
    """
    if limit < 1:
        raise ValueError(f"expected limit >= 1, found {limit}")
    room = min(limit, _KEPT_AT_ONCE)
    while True:
        out = np.zeros((room, 81), np.uint8)
        found, nodes = search(out)
        if found <= room:
            break
        room = found  # the same search again, with a place for each
    solutions = [Grid(row.tobytes()) for row in out[:found]]
    return SearchResult(solutions, min(nodes, most_nodes), nodes > most_nodes)
