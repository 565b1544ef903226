"""Plain depth-first search, the solver of "dig-hole" and of the weighted rules; propagates nothing."""

from __future__ import annotations

import numpy as np

from ..grid import Grid
from ..kernels import depth_first as kernels
from ..kernels.bitboard import UNBOUNDED
from .searcher import MOST_NODES, SearchResult, gather


def search(grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
    """Return every solution of `grid` up to `limit`, cells from the top left, digits from 1.

    A node is one search as the paper counts them: a digit written that no house forbids (its own count of
    263,734 for a puzzle we don't have leaves open whether forbidden digits count; here they don't).
    Source: Xue, Jiang, Li, 5.1.
    """
    givens = grid.array()
    return gather(lambda out: kernels.search(givens, limit, most_nodes, out), limit, most_nodes)


def searches(grid: Grid, most_nodes: int = MOST_NODES) -> int | None:
    """Return how many nodes finding every solution of `grid` takes; None if over `most_nodes`."""
    nothing = np.empty((0, 81), np.uint8)
    nodes = kernels.search(grid.array(), UNBOUNDED, most_nodes, nothing)[1]
    return None if nodes > most_nodes else nodes
