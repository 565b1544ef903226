"""Possibilities fixed in rounds until nothing changes, then backtracking with an explicit stack."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.grid import Grid
from engine.kernels import propagation as kernels
from engine.kernels.houses import take_givens
from engine.search.searcher import MOST_NODES, SearchResult, gather


@dataclass(frozen=True, slots=True)
class Propagated:
    """What the rounds alone reach."""

    grid: Grid  # with what they fixed; where a contradiction showed, as it stood then
    rounds: int  # the last one, which fixes nothing, is counted
    consistent: bool  # no cell was left without a possibility, no house with a digit twice


def propagated(grid: Grid) -> Propagated:
    """The possibilities of every cell set and the lone ones fixed, in rounds until nothing changes."""
    digits, taken, possible = grid.array(), np.zeros(27, np.int64), np.zeros(81, np.int64)
    if not take_givens(digits, taken):
        return Propagated(grid, 0, False)
    rounds, consistent = kernels.fix_rounds(digits, taken, possible)
    return Propagated(Grid(digits.tobytes()), rounds, consistent)


def search(grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
    """Every solution of `grid` up to `limit`; rounds first, then the open cells from the top left on.

    A node is a digit written by the backtracking that no house forbids; the rounds cost none. Source: Li, Wu,
    project proposal, 2.7.
    """
    givens = grid.array()
    return gather(lambda out: kernels.search(givens, limit, most_nodes, out)[:2], limit, most_nodes)
