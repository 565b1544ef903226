"""Tridagon, also Thor's Hammer: twelve cells of four boxes that three digits alone can't fill."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.bits import count_ones
from ...kernels.effects import Hits, put_hits
from ...kernels.either import begin_either, or_candidates
from ...kernels.state import CANDIDATES, State
from ...kernels.steps import Steps, begin, commit, put_cell, put_house
from ..entry import FIN, N_, PATTERN, SHORT, SHOWN, Family, Technique
from ..limits import FINS, KEY, Limits
from ..subsets import CHOICES, FROM

Row = NDArray[np.int32]

THREE: Final = 3
ORDERS: Final = 6
# The column of the cell in each row of a box, in six orders: the first three are even, the others odd.
COLUMNS: Final[NDArray[np.int32]] = np.array(
    [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]], dtype=np.int32
)
# The four boxes where two bands cross two stacks.
FOURS: Final[NDArray[np.int32]] = np.array(
    [
        [3 * band + stack for band in bands for stack in stacks]
        for bands in ((0, 1), (0, 2), (1, 2))
        for stacks in ((0, 1), (0, 2), (1, 2))
    ],
    dtype=np.int32,
)
NO_FIT: Final = 99


@kernel
def _cell(box: int, order: int, row: int) -> int:
    return int(9 * (box // 3 * 3 + row) + box % 3 * 3 + COLUMNS[order, row])


@kernel
def _count_guardians(position: State, box: int, order: int, trio: int) -> int:
    """Count the candidates besides the trio in three cells; NO_FIT if one has fewer than two of the trio."""
    guardians = 0
    for row in range(THREE):
        mask = position[CANDIDATES + _cell(box, order, row)]
        if count_ones(mask & trio) < 2:
            return NO_FIT
        guardians += count_ones(mask & ~trio)
    return guardians


@kernel
def _put(
    position: State, limits: Limits, boxes: Row, orders: Row, trio: int, size: int, hits: Hits, out: Steps
) -> None:
    """Write the step without its commit."""
    begin_either(hits)
    for index in range(4):
        for row in range(THREE):
            cell = _cell(boxes[index], orders[index], row)
            or_candidates(hits, cell, position[CANDIDATES + cell] & ~trio)
    begin(out, limits[KEY], 0, trio, size)
    put_hits(out, position, hits)
    for index in range(4):
        for row in range(THREE):
            cell = _cell(boxes[index], orders[index], row)
            put_cell(out, PATTERN, position[CANDIDATES + cell] & trio, cell)
            if position[CANDIDATES + cell] & ~trio:
                put_cell(out, FIN, position[CANDIDATES + cell] & ~trio, cell)
    for index in range(4):
        put_house(out, SHOWN, trio, 18 + boxes[index])


@kernel
def _scan_four(
    position: State,
    limits: Limits,
    boxes: Row,
    fits: Row,
    orders: Row,
    trio: int,
    hits: Hits,
    mode: int,
    out: Steps,
) -> bool:
    """Find the tridagons of a trio in four boxes; returns commit's result."""
    most = limits[FINS]
    for upper in range(ORDERS**2):
        orders[0], orders[1] = upper // ORDERS, upper % ORDERS
        above = fits[boxes[0], orders[0]] + fits[boxes[1], orders[1]]
        if above > most:
            continue
        for lower in range(ORDERS**2):
            orders[2], orders[3] = lower // ORDERS, lower % ORDERS
            guardians = above + fits[boxes[2], orders[2]] + fits[boxes[3], orders[3]]
            odd = 0
            for index in range(4):
                odd += orders[index] >= THREE
            if odd % 2 and 0 < guardians <= most:
                _put(position, limits, boxes, orders, trio, 12 + guardians, hits, out)
                if commit(out, mode):
                    return True
    return False


@kernel
def scan_tridagon(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find such twelve cells with at most limits[FINS] other candidates: one of these is true.

    Each box has a cell in each of its rows and columns. Read by rows, the digits of two boxes side by side
    are in orders of one parity, since they differ in every row; read by columns, so are those of two boxes
    above each other. From rows to columns the parity changes with the order of a box's cells: if an odd
    number of the four boxes has an odd order, going around the four would change it.
    """
    fits = np.empty((9, ORDERS), dtype=np.int32)
    orders = np.empty(4, dtype=np.int32)
    hits = np.empty(27, dtype=np.int32)
    for number in range(FROM[THREE], FROM[THREE + 1]):
        trio = int(CHOICES[number])
        for box in range(9):
            for order in range(ORDERS):
                fits[box, order] = _count_guardians(position, box, order, trio)
        for four in range(len(FOURS)):
            if _scan_four(position, limits, FOURS[four], fits, orders, trio, hits, mode, out):
                return


ENTRIES: Final = (
    Technique(
        "tridagon",
        N_("Tridagon"),
        scan=scan_tridagon,
        family=Family.ALMOST_LOCKED_SETS,
        tier=5,
        bound=SHORT,  # a finite list of twelves
        limits={"fins": 6},
        rare=True,
    ),
)
