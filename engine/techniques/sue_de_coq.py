"""Sue de Coq: cells of an intersection whose digits are divided between sets of cells in its line and its
box.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.effects import Hits, commit_shortest, new_seen, put_hits
from ..kernels.state import CANDIDATES, State
from ..kernels.steps import Steps, begin, put_house
from ..kernels.tables import ALL_DIGITS, HOUSE_CELLS, SHARED
from .entry import ALS, N_, PIVOT, SHORT, SHOWN, Family, Technique
from .limits import KEY, Limits
from .subsets import put_chosen

Row = NDArray[np.int32]
Parts = NDArray[np.int32]  # [10, 512, 2] sets of cells of a house, by how many digits they take
Unions = NDArray[np.int32]  # [27, 512] the digits of the open cells of a house chosen by nine bits


@kernel
def _unite(position: State, unions: Unions, open_cells: Row) -> None:
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
def _taken(union: int, chosen: int, digits: int) -> int:
    """Return how many of `digits` a set of cells takes: its number of cells less its own other digits.

    0 or less if it takes none. union: of its digits. chosen: its cells, as bits.
    """
    return count_ones(chosen) - count_ones(union & ~digits) if union & digits else 0


@kernel
def _sort_parts(unions: Unions, house: int, source: int, digits: int, parts: Parts, counts: Row) -> None:
    """Find the sets of cells of `source` that take some of `digits`, by how many they take.

    parts: output, the cells of each and which of the digits they have. counts: int32[10], output, how many
    sets take so many.
    """
    counts[:] = 0
    chosen = source
    while chosen:
        union = unions[house, chosen]
        taken = _taken(union, chosen, digits)
        if taken > 0:
            parts[taken, counts[taken], 0] = chosen
            parts[taken, counts[taken], 1] = union & digits
            counts[taken] += 1
        chosen = (chosen - 1) & source


@kernel
def _moved(house: int, other: int, chosen: int) -> int:
    """Return the cells `chosen` of `house` that are in `other` too, as nine bits of `other`."""
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
def scan_sue_de_coq(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find two or three cells of an intersection with two digits more than cells, all taken by line and box.

    Each digit of the three sets then has exactly one place in them (one in each outer set for a digit of both
    that isn't in the intersection), so the rest of its line, of its box or of both loses it.
    """
    unions = np.empty((27, 512), dtype=np.int32)
    open_cells = np.empty(27, dtype=np.int32)
    _unite(position, unions, open_cells)
    parts = np.empty((10, 512, 2), dtype=np.int32)  # of the box
    counts = np.empty(10, dtype=np.int32)
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
                outside = open_cells[line] & ~middle if count_ones(middle) > 1 and spare > 1 else 0
                sorted_parts = False
                in_line = outside
                while in_line:
                    one = unions[line, in_line]
                    taken = _taken(one, in_line, digits)
                    if 0 < taken < spare and not sorted_parts:
                        _sort_parts(unions, box, open_cells[box] & ~in_box, digits, parts, counts)
                        sorted_parts = True
                    also = _moved(line, box, in_line)
                    for second in range(counts[spare - taken] if 0 < taken < spare else 0):
                        of_box = parts[spare - taken, second, 0]
                        if one & parts[spare - taken, second, 1] or also & of_box:
                            continue
                        other = unions[box, of_box]
                        hits[:] = 0
                        lost = (digits & ~other) | (one & ~digits)
                        _hit(line, open_cells[line] & ~middle & ~in_line, lost, hits)
                        lost = (digits & ~one) | (other & ~digits)
                        _hit(box, open_cells[box] & ~in_box & ~of_box, lost, hits)
                        begin(out, limits[KEY], 0, digits, 3)
                        put_hits(out, position, hits)
                        put_chosen(position, out, PIVOT, line, middle, ALL_DIGITS)
                        put_chosen(position, out, ALS, line, in_line, ALL_DIGITS)
                        put_chosen(position, out, ALS + 1, box, of_box, ALL_DIGITS)
                        put_house(out, SHOWN, digits | one, line)
                        put_house(out, SHOWN, digits | other, box)
                        if commit_shortest(out, mode, seen):
                            return
                    in_line = (in_line - 1) & outside
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
