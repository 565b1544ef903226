"""Reverse BUG: two digits that would be in the same houses together, or in neither, and could be
exchanged.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.state import DIGITS, GIVENS, State
from ...kernels.steps import Steps, begin, commit, put_cell, put_removed
from ...kernels.tables import CELL_HOUSES
from ..entry import N_, SHORT, STAYS, Family, Technique
from ..limits import KEY, Limits

ALL_OF_TWO: Final = 18  # cells of two digits on a full board


@kernel
def _count(position: State, one: int, two: int, printed: bool, only: NDArray[np.int32]) -> int:
    """Fill `only` with the digit that each house has alone, -1 if it has none or both; returns how many are
    placed.

    printed: count only printed digits.
    """
    only[:] = -1
    stand = 0
    for cell in range(81):
        digit = position[DIGITS + cell] - 1
        if digit not in (one, two) or (printed and not position[GIVENS + cell]):
            continue
        stand += 1
        for kind in range(3):
            house = CELL_HOUSES[cell, kind]
            only[house] = digit if only[house] < 0 else -1
    return stand


@kernel
def _missing_corner(only: NDArray[np.int32]) -> int:
    """Return the cell of the three houses that have the same one digit alone; -1 otherwise."""
    row = column = box = -1
    for house in range(27):
        if only[house] < 0:
            continue
        if house < 9:
            if row >= 0:
                return -1
            row = house
        elif house < 18:
            if column >= 0:
                return -1
            column = house
        else:
            if box >= 0:
                return -1
            box = house
    if row < 0 or column < 0 or box < 0:
        return -1
    cell = 9 * row + column - 9
    alike = only[row] == only[column] == only[box]
    return cell if alike and CELL_HOUSES[cell, 2] == box else -1


@kernel
def scan_reverse_bug(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find two digits that one more cell would bring together in each house with either.

    All their other cells could then exchange the two, none of them being printed, which would give two
    solutions.
    """
    only = np.empty(27, dtype=np.int32)
    for number in range(2 * 81):
        one, two, printed = number % 81 // 9, number % 9, number >= 81
        if one >= two:
            continue
        stand = _count(position, one, two, printed, only)
        cell = _missing_corner(only)
        if cell < 0 or stand + 1 >= ALL_OF_TWO:
            continue
        other = only[CELL_HOUSES[cell, 0]]
        begin(out, limits[KEY], int(printed), 1 << one | 1 << two, stand)
        put_removed(out, position, cell, one + two - other)
        for each in range(81):
            digit = position[DIGITS + each] - 1
            if digit in (one, two) and (not printed or position[GIVENS + each]):
                put_cell(out, STAYS, 1 << digit, each)
        if commit(out, mode):
            return


ENTRIES: Final = (
    Technique(
        "reverse_bug",
        N_("Reverse BUG"),
        scan=scan_reverse_bug,
        family=Family.UNIQUENESS,
        tier=5,
        bound=SHORT,  # there are 36 pairs of digits
        needs_unique=True,
        rare=True,
    ),
)
