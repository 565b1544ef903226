"""Pattern overlay, also called templates: every way to place a digit in all houses that lack it.

HoDoKu's templates also exclude patterns of one digit that are incompatible with all patterns of another.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.bits import trailing_zeros
from ...kernels.state import CELLS, PLACES, State
from ...kernels.steps import Steps, begin, commit, put_house, put_placed, put_removed_cells
from ..entry import BASE, N_, SHORT, Family, Technique
from ..limits import KEY, Limits

Words = NDArray[np.int32]  # three words of cells


@kernel
def _overlay(position: State, digit: int, some: Words, every: Words) -> None:
    """Fill `some` with the cells that a pattern of the digit uses, `every` with those that all use."""
    rows = np.zeros(9, dtype=np.int32)  # those that lack the digit
    count = 0
    for row in range(9):
        if position[PLACES + 27 * digit + row]:
            rows[count] = row
            count += 1
    some[:] = 0
    every[:] = (1 << 27) - 1
    left = np.zeros(10, dtype=np.int32)  # the untried columns at each depth
    columns = np.zeros(10, dtype=np.int32)  # and those taken before it, and boxes
    boxes = np.zeros(10, dtype=np.int32)
    used = np.zeros(3, dtype=np.int32)
    chosen = np.zeros(9, dtype=np.int32)
    depth = 0
    left[0] = position[PLACES + 27 * digit + rows[0]]
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
            continue
        column = trailing_zeros(left[depth])
        left[depth] &= left[depth] - 1
        row = int(rows[depth])
        box = row // 3 * 3 + column // 3
        if columns[depth] >> column & 1 or boxes[depth] >> box & 1:
            continue
        chosen[depth] = column
        if depth < count - 1:
            columns[depth + 1] = columns[depth] | 1 << column
            boxes[depth + 1] = boxes[depth] | 1 << box
            depth += 1
            left[depth] = position[PLACES + 27 * digit + rows[depth]]
            continue
        used[:] = 0
        for index in range(count):
            used[rows[index] // 3] |= 1 << rows[index] % 3 * 9 + chosen[index]
        for band in range(3):
            some[band] |= used[band]
            every[band] &= used[band]


@kernel
def scan_pattern_overlay(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find cells of a digit that no pattern uses, then cells that all patterns use."""
    some = np.empty(3, dtype=np.int32)
    every = np.empty(3, dtype=np.int32)
    for digit in range(9):
        places = 0
        for band in range(3):
            places |= position[CELLS + 3 * digit + band]
        if places == 0:
            continue
        _overlay(position, digit, some, every)
        if some[0] | some[1] | some[2] == 0:
            continue
        for part in range(2):
            begin(out, limits[KEY], part, 1 << digit, 0)
            for band in range(3):
                if part == 1:
                    rest = int(every[band])
                    while rest:
                        put_placed(out, 27 * band + trailing_zeros(rest), digit)
                        rest &= rest - 1
            for band in range(3):
                if part == 0:
                    put_removed_cells(out, position, digit, band, ~some[band])
            for row in range(9):
                if position[PLACES + 27 * digit + row]:
                    put_house(out, BASE, 1 << digit, row)
            if commit(out, mode):
                return


ENTRIES: Final = (
    Technique(
        "pattern_overlay",
        N_("Pattern Overlay"),
        scan=scan_pattern_overlay,
        family=Family.SINGLE_DIGIT,
        tier=5,
        bound=SHORT,  # a digit has 46,656 patterns on an empty board
        on_request=True,
        rare=True,
    ),
)
