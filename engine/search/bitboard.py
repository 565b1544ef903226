"""The default solver over `kernels.bitboard`: single grids, and batches over cores."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import PuzzleFormatError
from engine.grid import Grid
from engine.kernels import bitboard as kernels
from engine.search.searcher import MOST_NODES, SearchResult, gather


def search(grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
    """Every solution of `grid` up to `limit`; a node is a layout of candidates propagated."""

    def run(out: NDArray[np.uint8]) -> tuple[int, int]:
        stack = kernels.workspace()
        kernels.start(grid.array(), stack[0])
        return kernels.search(limit, most_nodes, stack, out)

    return gather(run, limit, most_nodes)


def solution(grid: Grid) -> Grid | None:
    """A solution of `grid`, the first one found where there are several; None where there is none."""
    out = np.zeros((1, 81), np.uint8)
    return Grid(out.tobytes()) if _count(grid, 1, out) else None


def solution_count(grid: Grid, up_to: int = 2) -> int:
    """How many solutions `grid` has, counted up to `up_to`."""
    return _count(grid, up_to, np.empty((0, 81), np.uint8))


def _count(grid: Grid, up_to: int, out: NDArray[np.uint8]) -> int:
    if up_to < 1:
        raise ValueError(f"solutions are counted up to 1 or more, not {up_to}")
    stack = kernels.workspace()
    kernels.start(grid.array(), stack[0])
    return kernels.search(up_to, kernels.UNBOUNDED, stack, out)[0]


def solve_many(
    givens: NDArray[Any], limit: int = 2, jobs: int = 1
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Solve every row of uint8[n, 81] `givens` (0 = empty) on `jobs` cores.

    Returns (uint8[n, 81] first solutions, zero where there is none; int64[n] solution counts up to `limit`).
    A digit above 9 is a PuzzleFormatError naming its row, counted from 1, as line.
    """
    if limit < 1 or jobs < 1:
        raise ValueError(f"limit and jobs are 1 or more, not {limit} and {jobs}")
    if givens.ndim != 2 or givens.shape[1] != 81:
        raise ValueError(f"expected an array of n rows of 81 cells, found shape {givens.shape}")
    if givens.size and (givens.min() < 0 or givens.max() > 9):
        row, cell = (int(index) for index in np.argwhere((givens < 0) | (givens > 9))[0])
        digit = givens[row, cell]
        raise PuzzleFormatError(
            f"expected a digit 0..9, found {digit}", line=row + 1, cell=cell, character=str(digit)
        )
    rows = np.ascontiguousarray(givens, np.uint8)
    out, counts = np.empty_like(rows), np.empty(len(rows), np.int64)

    def solve_part(first: int, end: int) -> None:
        kernels.solve_range(rows[first:end], limit, kernels.workspace(), out[first:end], counts[first:end])

    if jobs == 1:
        solve_part(0, len(rows))
        return out, counts
    # Small parts even out cores and puzzles of unequal speed; a part costs some 30 microseconds to hand over.
    size = max(2, min(4096, len(rows) // (jobs * 16)))
    with ThreadPoolExecutor(jobs) as pool:
        for part in [pool.submit(solve_part, first, first + size) for first in range(0, len(rows), size)]:
            part.result()
    return out, counts
