"""Sue de Coq: cells of an intersection with sets of cells in its line and its box that divide its digits."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bits import count_ones, trailing_zeros
from engine.kernels.effects import Hits, commit_shortest, new_seen, put_hits
from engine.kernels.state import CANDIDATES, State
from engine.kernels.steps import Steps, begin, put_cell, put_house
from engine.kernels.tables import HOUSE_CELLS, SHARED
from engine.techniques.entry import ALS, N_, PIVOT, SHORT, SHOWN, Family, Technique
from engine.techniques.limits import KEY, Limits

Unions = NDArray[np.int32]  # [27, 512] the digits of the open cells of a house that nine bits choose


@kernel
def _unite(position: State, unions: Unions, open_cells: NDArray[np.int32]) -> None:
    """Fill `unions` for all houses, and int32[27] `open_cells` with their open cells as nine bits."""
    for house in range(27):
        unions[house, 0] = 0
        cells = 0
        for index in range(9):
            if position[CANDIDATES + HOUSE_CELLS[house, index]]:
                cells |= 1 << index
        open_cells[house] = cells
        chosen = -cells & cells
        while chosen:
            mask = position[CANDIDATES + HOUSE_CELLS[house, trailing_zeros(chosen)]]
            unions[house, chosen] = unions[house, chosen & (chosen - 1)] | mask
            chosen = (chosen - cells) & cells


@kernel
def _find_parts(
    unions: Unions, house: int, source: int, digits: int, most: int, parts: NDArray[np.int32]
) -> int:
    """The sets of cells of `source` that take from 1 to `most` of `digits`; how many.

    A set takes as many of the digits as it has cells more than digits of its own.
    parts: int32[512, 2], written: the cells, and how many digits they take.
    """
    count = 0
    chosen = source
    while chosen:
        union = unions[house, chosen]
        takes = count_ones(chosen) - count_ones(union & ~digits)
        if 1 <= takes <= most and union & digits:
            parts[count, 0] = chosen
            parts[count, 1] = takes
            count += 1
        chosen = (chosen - 1) & source
    return count


@kernel
def _moved(house: int, other: int, chosen: int) -> int:
    """The cells `chosen` of `house` that lie in `other` too, as nine bits of `other`."""
    found = 0
    here = SHARED[house, other]
    there = SHARED[other, house]
    while here:
        if chosen & here & -here:
            found |= there & -there
        here &= here - 1
        there &= there - 1
    return int(found)


@kernel
def _hit(house: int, rest: int, digits: int, hits: Hits) -> None:
    """Add to `hits` that the cells `rest` of `house` lose `digits`."""
    while rest:
        cell = HOUSE_CELLS[house, trailing_zeros(rest)]
        rest &= rest - 1
        for digit in range(9):
            if digits >> digit & 1:
                hits[3 * digit + cell // 27] |= 1 << cell % 27


@kernel
def _put_cells(position: State, out: Steps, role: int, house: int, chosen: int) -> None:
    while chosen:
        cell = HOUSE_CELLS[house, trailing_zeros(chosen)]
        put_cell(out, role, position[CANDIDATES + cell], cell)
        chosen &= chosen - 1


@kernel
def scan_sue_de_coq(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Two or three cells of an intersection hold two digits or more than cells; line and box take them all.

    Each digit of the three sets then has exactly one place in them (one in each outer set for a digit of both
    that is not in the intersection), so it leaves the rest of its line, of its box or of both.
    """
    unions = np.empty((27, 512), dtype=np.int32)
    open_cells = np.empty(27, dtype=np.int32)
    _unite(position, unions, open_cells)
    of_line = np.empty((512, 2), dtype=np.int32)
    of_box = np.empty((512, 2), dtype=np.int32)
    hits = np.empty(27, dtype=np.int32)
    seen = new_seen(mode)
    for line in range(18):
        for box in range(18, 27):
            crossing = SHARED[line, box] & open_cells[line]
            middle = crossing
            while middle:
                digits = unions[line, middle]
                spare = count_ones(digits) - count_ones(middle)
                in_box = _moved(line, box, middle)
                lines = 0
                boxes = 0
                if count_ones(middle) > 1 and spare > 1:
                    outside = open_cells[line] & ~middle
                    lines = _find_parts(unions, line, outside, digits, spare - 1, of_line)
                if lines:
                    outside = open_cells[box] & ~in_box
                    boxes = _find_parts(unions, box, outside, digits, spare - 1, of_box)
                for first in range(lines):
                    in_line = of_line[first, 0]
                    one = unions[line, in_line]
                    also = _moved(line, box, in_line)
                    for second in range(boxes):
                        other = unions[box, of_box[second, 0]]
                        if (
                            of_line[first, 1] + of_box[second, 1] != spare
                            or one & other & digits
                            or also & of_box[second, 0]
                        ):
                            continue
                        hits[:] = 0
                        lost = (digits & ~other) | (one & ~digits)
                        _hit(line, open_cells[line] & ~middle & ~in_line, lost, hits)
                        lost = (digits & ~one) | (other & ~digits)
                        _hit(box, open_cells[box] & ~in_box & ~of_box[second, 0], lost, hits)
                        begin(out, limits[KEY], 0, digits, 3)
                        put_hits(out, position, hits)
                        _put_cells(position, out, PIVOT, line, middle)
                        _put_cells(position, out, ALS, line, in_line)
                        _put_cells(position, out, ALS + 1, box, of_box[second, 0])
                        put_house(out, SHOWN, digits | one, line)
                        put_house(out, SHOWN, digits | other, box)
                        if commit_shortest(out, mode, seen):
                            return
                middle = (middle - 1) & crossing


ENTRIES: Final = (
    Technique(
        "sue_de_coq",
        N_("Sue de Coq"),
        scan=scan_sue_de_coq,
        family=Family.ALMOST_LOCKED_SETS,
        tier=5,
        bound=SHORT,  # each box against each line
    ),
)
