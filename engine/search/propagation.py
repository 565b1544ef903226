"""Fix sole possibilities in rounds until nothing changes, then backtrack with an explicit stack."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..grid import Grid
from ..kernels import propagation as kernels
from ..kernels.houses import take_givens
from .searcher import MOST_NODES, SearchResult, gather


@dataclass(frozen=True, slots=True)
class Propagated:
    """The result of the rounds alone."""

    grid: Grid  # with the digits fixed; after a contradiction, the state at that point
    rounds: int  # up to the one that fills the last cell, or one that fixes nothing
    consistent: bool  # no cell without a possibility, no house with a digit twice


def propagated(grid: Grid) -> Propagated:
    """Compute the possibilities of every cell and fix the sole ones, in rounds until nothing changes."""
    digits, taken, possible = grid.array(), np.zeros(27, np.int64), np.zeros(81, np.int64)
    if not take_givens(digits, taken):
        return Propagated(grid, 0, False)
    rounds, consistent = kernels.fix_rounds(digits, taken, possible)
    return Propagated(Grid(digits.tobytes()), rounds, consistent)


def search(grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
    """Return every solution of `grid` up to `limit`; rounds first, then the open cells from the top left.

    A node is a digit written by the backtracking that no house forbids; the rounds count none. Source: Li,
    Wu, project proposal, 2.7.
    """
    givens = grid.array()
    return gather(lambda out: kernels.search(givens, limit, most_nodes, out)[:2], limit, most_nodes)
