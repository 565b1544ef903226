"""BUG-Lite: cells left with two candidates each, where every digit is in each house twice or not at all."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.bits import count_ones
from ...kernels.effects import Hits, Seen, commit_shortest, new_seen, put_hits
from ...kernels.either import begin_either, or_candidates
from ...kernels.state import CANDIDATES, PLACES, State
from ...kernels.steps import FULL, PAST_BOUND, Steps, begin, put_cell
from ...kernels.tables import CELL_HOUSES, HOUSE_CELLS
from ..entry import CORNER, FIN, N_, Family, Technique, Trait
from ..limits import BOUND, FINS, KEY, SIZE, Limits

Row = NDArray[np.int32]

# Words of the work array: the chosen cells, the pair each is left with, the next choice for each, and how
# often each digit is in each house among them.
_CELLS: Final = 0
_PAIRS: Final = 16
_TRIED: Final = 32
_COUNTS: Final = 48
_SPENT: Final = _COUNTS + 27 * 9
_WORDS: Final = _SPENT + 1

_CHOICES: Final = 81  # of a cell of the house and its other digit: 9 * place + digit


@kernel
def _add(work: Row, cell: int, pair: int, sign: int) -> bool:
    """Count the pair of the cell in its houses, or undo that; returns whether no digit is in a house three
    times.
    """
    fits = True
    for digit in range(9):
        if pair >> digit & 1:
            for kind in range(3):
                at = _COUNTS + 9 * CELL_HOUSES[cell, kind] + digit
                work[at] += sign
                fits = fits and work[at] <= 2
    return fits


@kernel
def _open(work: Row) -> int:
    """Return 9 * house + digit that is in the house once, -1 if there is none."""
    for at in range(27 * 9):
        if work[_COUNTS + at] == 1:
            return at
    return -1


@kernel
def _put(position: State, limits: Limits, work: Row, size: int, hits: Hits, out: Steps) -> None:
    """Write the step of the chosen cells, without its commit."""
    begin_either(hits)
    digits = 0
    for index in range(size):
        cell, pair = work[_CELLS + index], work[_PAIRS + index]
        digits |= pair
        or_candidates(hits, cell, position[CANDIDATES + cell] & ~pair)
    begin(out, limits[KEY], 0, digits, size)
    put_hits(out, position, hits)
    for index in range(size):
        cell, pair = work[_CELLS + index], work[_PAIRS + index]
        put_cell(out, CORNER, pair, cell)
        if position[CANDIDATES + cell] & ~pair:
            put_cell(out, FIN, position[CANDIDATES + cell] & ~pair, cell)


@kernel
def _is_next(position: State, limits: Limits, work: Row, size: int, cell: int, pair: int, digit: int) -> bool:
    """Whether the cell can join the `size` chosen with that pair, which has the digit.

    A cell with more than the pair must come later on the board than the first one, where the search begins.
    """
    mask = position[CANDIDATES + cell]
    if pair & ~mask or not pair >> digit & 1:
        return False
    extras = count_ones(mask & ~pair)
    if extras and cell < work[_CELLS]:
        return False
    for index in range(size):
        if work[_CELLS + index] == cell:
            return False
        extras += count_ones(position[CANDIDATES + work[_CELLS + index]] & ~work[_PAIRS + index])
    return bool(extras <= limits[FINS])


@kernel
def _scan_from(
    position: State,
    limits: Limits,
    start: int,
    pair: int,
    work: Row,
    hits: Hits,
    seen: Seen,
    mode: int,
    out: Steps,
) -> bool:
    """Find the patterns whose first cell with more candidates is `start`, left with `pair`; returns
    commit's result.
    """
    work[_CELLS] = start
    work[_PAIRS] = pair
    work[_COUNTS:_SPENT] = 0
    _add(work, start, pair, 1)
    work[_TRIED + 1] = 0
    size = 1
    while size > 0:
        work[_SPENT] += 1
        if work[_SPENT] > limits[BOUND]:
            out[FULL] = PAST_BOUND
            return True
        # The open house is determined by the cells before, so it is the same for all choices here.
        need = _open(work)
        house, digit = need // 9, need % 9
        choice = int(work[_TRIED + size])
        found = False
        while choice < _CHOICES and size < limits[SIZE] and not found:
            place, other = choice // 9, choice % 9
            choice += 1
            if other == digit or not position[PLACES + 27 * digit + house] >> place & 1:
                continue
            cell = HOUSE_CELLS[house, place]
            joined = 1 << digit | 1 << other
            if _is_next(position, limits, work, size, cell, joined, digit):
                if _add(work, cell, joined, 1):
                    work[_CELLS + size] = cell
                    work[_PAIRS + size] = joined
                    found = True
                else:
                    _add(work, cell, joined, -1)
        work[_TRIED + size] = choice
        if not found:
            size -= 1
            if size > 0:
                _add(work, work[_CELLS + size], work[_PAIRS + size], -1)
            continue
        size += 1
        work[_TRIED + size] = 0
        if _open(work) >= 0:
            continue
        digits = 0
        for index in range(size):
            digits |= work[_PAIRS + index]
        if count_ones(digits) > 2:  # with two it is a rectangle or a loop
            _put(position, limits, work, size, hits, out)
            if commit_shortest(out, mode, seen):
                return True
        size -= 1
        _add(work, work[_CELLS + size], work[_PAIRS + size], -1)
    return False


@kernel
def scan_bug_lite(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find such cells, at most limits[SIZE], with at most limits[FINS] more candidates: one of these is true.

    Otherwise each cell could take its other candidate, and the puzzle would have two solutions.
    """
    work = np.zeros(_WORDS, dtype=np.int32)
    hits = np.empty(27, dtype=np.int32)
    seen = new_seen(mode)
    for start in range(81):
        mask = position[CANDIDATES + start]
        if not 2 < count_ones(mask) <= 2 + limits[FINS]:
            continue
        for pairs in range(81):
            one, two = pairs // 9, pairs % 9
            if one < two and mask >> one & mask >> two & 1:
                pair = 1 << one | 1 << two
                if _scan_from(position, limits, start, pair, work, hits, seen, mode, out):
                    return


ENTRIES: Final = (
    Technique(
        "bug_lite",
        N_("BUG-Lite"),
        scan=scan_bug_lite,
        family=Family.UNIQUENESS,
        tier=5,
        bound=2_000_000,  # cells tried
        needs_unique=True,
        traits=Trait.THREE_DIGITS,
        limits={"size": 10, "fins": 3},
        rare=True,
    ),
)
