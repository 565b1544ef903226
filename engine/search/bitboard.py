"""The default solver over `kernels.bitboard`: single grids, and batches over cores."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..arguments import whole
from ..errors import BoundError, PuzzleFormatError
from ..geometry import PEERS
from ..given import Given, Pencilled, each_of, marks_of, rows_of
from ..grid import Grid
from ..kernels import bitboard as kernels
from ..kernels.tables import ALL_DIGITS
from .searcher import MOST_NODES, SearchResult, gather

AT_ONCE: Final = 1 << 18  # nodes of one uninterruptible search, some tenths of a second
MOST_UNBOUNDED: Final = 1000  # solutions of a row that a batch counts without a limit on nodes
MOST_JOBS: Final = 256  # threads
_MASK_OF: Final = np.array([ALL_DIGITS, *(1 << digit for digit in range(9))], np.uint16)  # by digit


def search(grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
    """Return every solution of `grid` up to `limit`; a node is a propagated layout of candidates."""

    def run(out: NDArray[np.uint8]) -> tuple[int, int]:
        stack = kernels.workspace()
        kernels.start(grid.array(), stack[0])
        return kernels.search(limit, most_nodes, stack, out)

    return gather(run, limit, most_nodes)


def within(candidates: Sequence[int], limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
    """Return every way up to `limit` to fill the grid with the candidates of a position.

    candidates: 81 masks, bit digit-1; a placed digit is alone in its cell.
    """

    def run(out: NDArray[np.uint8]) -> tuple[int, int]:
        stack = kernels.workspace()
        _lay_out(np.array(candidates, np.uint16), stack[0])
        return kernels.search(limit, most_nodes, stack, out)

    return gather(run, limit, most_nodes)


def solution(grid: Given) -> Grid | None:
    """Return a solution of a grid, or of a Position from its candidates alone; None if there is none.

    If there are several, it is the first one found.

    >>> from engine import parse, solution
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> str(solution(grid))[:9]
    '946785123'
    """
    out = np.zeros((1, 81), np.uint8)
    return Grid(out.tobytes()) if _count_of(grid, 1, None, out) else None


def judged(grid: Grid) -> tuple[int, Grid | None]:
    """Return how many solutions a grid has, counted up to two, and the first one found."""
    out = np.zeros((1, 81), np.uint8)
    count = _count_of(grid, 2, None, out)
    return count, Grid(out.tobytes()) if count else None


def solution_count(grid: Given, up_to: int = 2, *, most_nodes: int | None = None) -> int:
    """Count the solutions of a grid, or of a Position from its candidates alone, up to `up_to`.

    Ctrl-C ends it soon, however many there are. most_nodes: raise BoundError, with the number found, if it
    would take more layouts of candidates.

    >>> from engine import parse, solution_count
    >>> solution_count(parse(81 * "."), 1000)
    1000
    """
    up_to = whole("up_to", up_to, 1, 1 << 62)
    bound = None if most_nodes is None else whole("most_nodes", most_nodes, 1)
    return _count_of(grid, up_to, bound, np.empty((0, 81), np.uint8))


def _count_of(grid: Given, up_to: int, most_nodes: int | None, out: NDArray[np.uint8]) -> int:
    taken = marks_of("grid", grid)
    if most_nodes is None and isinstance(taken, Grid):  # the usual case: a third faster than by masks
        stack = kernels.own_workspace()
        kernels.start(taken.array(), stack[0])
        found, nodes = kernels.search(up_to, AT_ONCE, stack, out)
        if nodes <= AT_ONCE:
            return found
    return _count(_masks(taken), up_to, most_nodes, out)


def _masks(grid: Grid | Pencilled) -> NDArray[np.uint16]:
    """Return uint16[81] of a grid or a position."""
    if isinstance(grid, Grid):
        return _MASK_OF[grid.array()]
    return np.array(grid.masks, np.uint16)


def _count(masks: NDArray[np.uint16], up_to: int, most_nodes: int | None, out: NDArray[np.uint8]) -> int:
    """Count in searches of AT_ONCE nodes; larger ones are split by the candidates of one cell."""
    stack = kernels.workspace()
    waiting, found, spent, seen = [masks], 0, 0, 0
    while waiting and found < up_to:
        if most_nodes is not None and spent >= most_nodes:
            raise BoundError(f"expected to count in {most_nodes:,} nodes, found {seen:,} by then", seen)
        part = waiting.pop()
        at_once = AT_ONCE if most_nodes is None else min(AT_ONCE, most_nodes - spent)
        _lay_out(part, stack[0])
        more, nodes = kernels.search(up_to - found, at_once, stack, out)
        spent += min(nodes, at_once)
        seen = max(seen, found + more)
        if nodes <= at_once:
            found += more
        else:
            waiting += _split(part)
    return found


def _lay_out(masks: NDArray[np.uint16], layout: NDArray[np.uint16]) -> None:
    """Write uint16[81] candidates to a row of a stack, as `kernels.start` does for givens."""
    layout[:] = 0
    layout[kernels._PLACE] = masks & 0xF | (masks & 0x1F0) << 4  # the bits of `lanes.DIGITS`


def _split(masks: NDArray[np.uint16]) -> list[NDArray[np.uint16]]:
    """Return the puzzles with each candidate of one cell alone in it, the first candidate last."""
    sizes = [int(mask).bit_count() for mask in masks]
    cell = min((cell for cell in range(81) if sizes[cell] > 1), key=lambda cell: sizes[cell])
    parts = []
    for digit in reversed(range(9)):
        if masks[cell] >> digit & 1:
            part = masks.copy()
            part[list(PEERS[cell])] &= np.uint16(~(1 << digit) & ALL_DIGITS)
            part[cell] = 1 << digit
            parts.append(part)
    return parts


def solve_many(
    givens: NDArray[Any] | Iterable[Given], limit: int = 2, jobs: int = 1
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Solve every row of uint8[n, 81] `givens` (0 = empty), or every puzzle of a list, on `jobs` cores.

    Returns (uint8[n, 81] first solutions, zero if there is none; int64[n] solution counts up to `limit`). A
    digit above 9 is a PuzzleFormatError naming its row, counted from 1, as line.

    >>> from engine import parse, solve_many
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> solutions, counts = solve_many(grid.array()[None])
    >>> counts.tolist(), solutions.shape
    ([1], (1, 81))
    """
    limit, jobs = whole("limit", limit, 1, 1 << 62), min(whole("jobs", jobs, 1), MOST_JOBS)
    if not isinstance(givens, np.ndarray):
        return _solve_each(each_of("givens", givens, marks_of), limit, jobs)
    givens = rows_of("givens", givens)
    if givens.dtype != np.uint8:
        check_digits(givens)
    rows = np.require(givens, np.uint8, ["C", "W"])  # one array type, so one compiled kernel
    out, counts = np.empty_like(rows), np.empty(len(rows), np.int64)
    # Small parts balance cores and puzzles of unequal speed; passing one on costs some 20 microseconds.
    size = len(rows) if jobs == 1 else max(2, min(4096, len(rows) // (jobs * 16)))
    faulty: list[int] = []  # starts of parts with invalid digits; checked here, while a part is in the cache
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
            if limit > MOST_UNBOUNDED:
                for row in range(part.start, min(part.stop, len(rows))):
                    out[row] = 0
                    counts[row] = _count(_MASK_OF[rows[row]], limit, None, out[row : row + 1])
                continue
            kernels.solve_range(rows[part], limit, stack, out[part], counts[part])

    if jobs == 1:
        work()
    else:
        with ThreadPoolExecutor(jobs - 1) as pool:
            helpers = [pool.submit(work) for _ in range(jobs - 1)]
            try:
                work()
            finally:
                parts.clear()  # ends an interrupted batch
            for helper in helpers:
                helper.result()
    if faulty:
        check_digits(rows)
    return out, counts


def _solve_each(
    puzzles: list[Grid | Pencilled], limit: int, jobs: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Solve grids together, and positions and texts with candidates one by one."""
    digits = b"".join((each if isinstance(each, Grid) else each.givens).digits for each in puzzles)
    out, counts = solve_many(np.frombuffer(digits, np.uint8).reshape(-1, 81), limit, jobs)
    for row, puzzle in enumerate(puzzles):
        if not isinstance(puzzle, Grid):
            out[row] = 0
            counts[row] = _count(_masks(puzzle), limit, None, out[row : row + 1])
    return out, counts


def check_digits(givens: NDArray[Any]) -> None:
    """Raise PuzzleFormatError if a row of `givens` contains anything but 0..9."""
    if givens.size == 0 or (givens.min() >= 0 and givens.max() <= 9):
        return
    wrong = np.argwhere((givens < 0) | (givens > 9))
    if len(wrong):
        row, cell = (int(index) for index in wrong[0])
        digit = givens[row, cell]
        raise PuzzleFormatError(
            "expected a digit 0..9, found %(found)s",
            line=row + 1,
            cell=cell,
            character=str(digit),
            found=digit,
        )
