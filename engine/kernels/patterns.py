"""Settled digits: each of their candidates is in a pattern, so none can be eliminated by its digit alone.

A pattern places the digit once in every row, column and box that lacks it. From the places of one digit
alone, a pattern can't be distinguished from the solution, so a step that removed one of its cells would be
wrong.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .bits import trailing_zeros
from .state import CELLS, PLACES, State

# Ways to place a digit in the rows of a band, distinguished by their columns: one in each stack.
_MOST_WAYS: Final = 27
Ways = NDArray[np.int32]  # [3, _MOST_WAYS, 2]: of each band and way the columns and the cells of it


@kernel
def new_ways() -> Ways:
    """Return scratch space for `is_settled`."""
    return np.empty((3, _MOST_WAYS, 2), dtype=np.int32)


@kernel
def is_settled(position: State, digit: int, ways: Ways) -> bool:
    """Whether each candidate of `digit` (0..8) is in a pattern. ways: scratch.

    A house without a place for the digit counts as one that has it, as in the scans.
    """
    places = PLACES + 27 * digit
    rows, columns, boxes = 0, 0, 0
    for index in range(9):
        rows += position[places + index] != 0
        columns += position[places + 9 + index] != 0
        boxes += position[places + 18 + index] != 0
    if rows != columns or rows != boxes:
        return False
    first = _ways_in_band(position, places, 0, ways)
    second = _ways_in_band(position, places, 1, ways)
    third = _ways_in_band(position, places, 2, ways)
    top, middle, bottom = 0, 0, 0  # the cells used by patterns
    for one in range(first):
        for two in range(second):
            taken = ways[0, one, 0] | ways[1, two, 0]
            if ways[0, one, 0] & ways[1, two, 0]:
                continue
            for three in range(third):
                if not taken & ways[2, three, 0]:
                    top |= ways[0, one, 1]
                    middle |= ways[1, two, 1]
                    bottom |= ways[2, three, 1]
    cells = CELLS + 3 * digit
    return bool(top == position[cells] and middle == position[cells + 1] and bottom == position[cells + 2])


@kernel
def _ways_in_band(position: State, places: int, band: int, ways: Ways) -> int:
    """Fill in the ways of a band; returns how many. places: the digit's places."""
    count = 0
    none = 1 << 9  # marks a row that has the digit
    first = int(position[places + 3 * band]) or none
    while first:
        one = trailing_zeros(first)
        first &= first - 1
        second = int(position[places + 3 * band + 1]) or none
        while second:
            two = trailing_zeros(second)
            second &= second - 1
            if two // 3 == one // 3 and two < 9:
                continue
            third = int(position[places + 3 * band + 2]) or none
            while third:
                three = trailing_zeros(third)
                third &= third - 1
                if three < 9 and (three // 3 == one // 3 or three // 3 == two // 3):
                    continue
                columns = (1 << one | 1 << two | 1 << three) & 0x1FF
                cells = (1 << one & 0x1FF) | (1 << two & 0x1FF) << 9 | (1 << three & 0x1FF) << 18
                known = 0
                while known < count and ways[band, known, 0] != columns:
                    known += 1
                if known == count:
                    ways[band, known, 0] = columns
                    ways[band, known, 1] = 0
                    count += 1
                ways[band, known, 1] |= cells
    return count
