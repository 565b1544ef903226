"""The default solver over `kernels.bitboard`: single grids, and batches over cores."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
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


def within(candidates: Sequence[int], limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
    """Every way up to `limit` to fill the grid with the candidates of a position.

    candidates: 81 masks, bit digit-1; a digit that stands is alone in its cell.
    """

    def run(out: NDArray[np.uint8]) -> tuple[int, int]:
        stack = kernels.workspace()
        kernels.start(np.zeros(81, np.uint8), stack[0])
        for cell, mask in enumerate(candidates):
            for digit in range(1, 10):
                if not mask >> digit - 1 & 1:
                    kernels.ban(cell, digit, stack[0])
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
        raise ValueError(f"expected up_to >= 1, found {up_to}")
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
        raise ValueError(f"expected limit >= 1 and jobs >= 1, found {limit} and {jobs}")
    if givens.ndim != 2 or givens.shape[1] != 81:
        raise ValueError(f"expected an array of shape (n, 81), found {givens.shape}")
    if givens.dtype != np.uint8:
        _check_digits(givens)
    rows = np.ascontiguousarray(givens, np.uint8)
    out, counts = np.empty_like(rows), np.empty(len(rows), np.int64)
    # Small parts even out cores and puzzles of unequal speed; one costs some 20 microseconds to hand over.
    size = len(rows) if jobs == 1 else max(2, min(4096, len(rows) // (jobs * 16)))
    faulty: list[int] = []  # where parts start that hold more than digits; seen here, a part is in the cache
    parts = deque(slice(first, first + size) for first in range(0, len(rows), size or 1))

    def work() -> None:
        stack = kernels.workspace()
        while True:
            try:
                part = parts.popleft()
            except IndexError:
                return
            if rows[part].max() > 9:
                faulty.append(part.start)
                return
            kernels.solve_range(rows[part], limit, stack, out[part], counts[part])

    if jobs == 1:
        work()
    else:
        with ThreadPoolExecutor(jobs - 1) as pool:
            helpers = [pool.submit(work) for _ in range(jobs - 1)]
            try:
                work()
            finally:
                parts.clear()  # so that an interrupted batch ends
            for helper in helpers:
                helper.result()
    if faulty:
        _check_digits(rows)
    return out, counts


def _check_digits(givens: NDArray[Any]) -> None:
    wrong = np.argwhere((givens < 0) | (givens > 9))
    if len(wrong):
        row, cell = (int(index) for index in wrong[0])
        digit = givens[row, cell]
        raise PuzzleFormatError(
            f"expected a digit 0..9, found {digit}", line=row + 1, cell=cell, character=str(digit)
        )
