"""Exact cover by dancing links, 729 rows by 324 columns."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..grid import Grid
from ..kernels import dancing_links as kernels
from .searcher import MOST_NODES, SearchResult, gather

NO_STATE: Final = np.zeros(4, np.uint64)  # rows are tried in order: nothing is random


def search(grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
    """Return every solution of `grid` up to `limit`, the column with the fewest rows first.

    A node is a row chosen, without the givens'. Source: evasiu's article, after Knuth's Algorithm X.
    """
    givens = grid.array()
    return gather(
        lambda out: kernels.search(givens, limit, most_nodes, False, NO_STATE, out)[:2], limit, most_nodes
    )


def updates(grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> int:
    """Return how many links `search` removes from their lists, Knuth's measure of the work; up to the
    limit on nodes.
    """
    nothing = np.empty((0, 81), np.uint8)
    return kernels.search(grid.array(), limit, most_nodes, False, NO_STATE, nothing)[2]
