"""Fireworks: digits that a row and a column confine to the box where they cross and to one cell beyond."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones
from ..kernels.state import CANDIDATES, PLACES, State
from ..kernels.steps import Steps, begin, commit, put_cell, put_house, put_removed_mask
from ..kernels.tables import ALL_DIGITS, CELL_HOUSES, HOUSE_CELLS, SHARED
from .entry import BASE, N_, PINCER, PIVOT, SHORT, Family, Technique
from .limits import KEY, Limits

Wings = NDArray[np.int32]  # [9] the places of a digit in the line beyond the box, if one or none; else -1

THREE: Final = 3


@kernel
def _find_wings(position: State, cell: int, kind: int, wings: Wings) -> None:
    """Fill `wings` for the row (kind 0) or column (1) of `cell`."""
    house = CELL_HOUSES[cell, kind]
    beyond = ALL_DIGITS & ~SHARED[house, CELL_HOUSES[cell, 2]]
    for digit in range(9):
        places = position[PLACES + 27 * digit + house]
        rest = places & beyond
        wings[digit] = -1 if places == 0 or rest & (rest - 1) else rest


@kernel
def _digits_with(rows: Wings, columns: Wings, right: int, down: int) -> int:
    """Return the digits whose places beyond the box are none or those of the bits `right` and `down`."""
    digits = 0
    for digit in range(9):
        if rows[digit] in (0, right) and columns[digit] in (0, down):
            digits |= 1 << digit
    return digits


@kernel
def _put_corner(cell: int, digits: int, out: Steps) -> None:
    put_house(out, BASE, digits, CELL_HOUSES[cell, 0])
    put_house(out, BASE, digits, CELL_HOUSES[cell, 1])


@kernel
def _put_triple(
    position: State, limits: Limits, cell: int, right: int, down: int, digits: int, out: Steps
) -> None:
    """Write three digits for the cell and its two wings."""
    begin(out, limits[KEY], 0, digits, THREE)
    for each in (cell, right, down):
        put_removed_mask(out, position, each, ALL_DIGITS & ~digits)
    put_cell(out, PIVOT, position[CANDIDATES + cell] & digits, cell)
    put_cell(out, PINCER, position[CANDIDATES + right] & digits, right)
    put_cell(out, PINCER, position[CANDIDATES + down] & digits, down)
    _put_corner(cell, digits, out)


@kernel
def _put_quadruple(
    position: State,
    limits: Limits,
    cell: int,
    right: int,
    down: int,
    other: int,
    digits: int,
    more: int,
    out: Steps,
) -> None:
    """Write two digits for the cell and its wings, two more for the opposite cell and the same wings."""
    begin(out, limits[KEY], 1, digits | more, 4)
    put_removed_mask(out, position, cell, ALL_DIGITS & ~digits)
    put_removed_mask(out, position, right, ALL_DIGITS & ~(digits | more))
    put_removed_mask(out, position, down, ALL_DIGITS & ~(digits | more))
    put_removed_mask(out, position, other, ALL_DIGITS & ~more)
    put_cell(out, PIVOT, position[CANDIDATES + cell] & digits, cell)
    put_cell(out, PIVOT, position[CANDIDATES + other] & more, other)
    put_cell(out, PINCER, position[CANDIDATES + right] & (digits | more), right)
    put_cell(out, PINCER, position[CANDIDATES + down] & (digits | more), down)
    _put_corner(cell, digits, out)
    _put_corner(other, more, out)


@kernel
def scan_fireworks(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find three digits for three cells, or two and two for the four cells of a rectangle.

    A digit at neither wing is in the box both in the row and in the column: where they cross.
    """
    rows, columns = np.empty(9, dtype=np.int32), np.empty(9, dtype=np.int32)
    others, lines = np.empty(9, dtype=np.int32), np.empty(9, dtype=np.int32)
    for cell in range(81):
        if position[CANDIDATES + cell] == 0:
            continue
        row, column = CELL_HOUSES[cell, 0], CELL_HOUSES[cell, 1]
        _find_wings(position, cell, 0, rows)
        _find_wings(position, cell, 1, columns)
        eligible = 0
        rights, downs = 0, 0
        for digit in range(9):
            if rows[digit] >= 0 and columns[digit] >= 0:
                eligible += 1
                rights |= rows[digit]
                downs |= columns[digit]
        if eligible < 2:
            continue
        for number in range(81):
            place, depth = number // 9, number % 9
            if not (rights >> place & 1 and downs >> depth & 1):
                continue
            digits = _digits_with(rows, columns, 1 << place, 1 << depth)
            if count_ones(digits) < 2:
                continue
            right, down = int(HOUSE_CELLS[row, place]), int(HOUSE_CELLS[column, depth])
            if count_ones(digits) == THREE:
                _put_triple(position, limits, cell, right, down, digits, out)
                if commit(out, mode):
                    return
            other = 9 * CELL_HOUSES[down, 0] + CELL_HOUSES[right, 1] - 9
            if other < cell or position[CANDIDATES + other] == 0:
                continue
            _find_wings(position, other, 0, others)
            _find_wings(position, other, 1, lines)
            # The column of one wing is a place in the row of the other.
            more = _digits_with(others, lines, 1 << CELL_HOUSES[cell, 1] - 9, 1 << row)
            for pair in range(1 << 9):
                if pair & ~digits or count_ones(pair) != 2 or count_ones(more & ~pair) < 2:
                    continue
                for second in range(1 << 9):
                    if second & ~more or second & pair or count_ones(second) != 2:
                        continue
                    _put_quadruple(position, limits, cell, right, down, other, pair, second, out)
                    if commit(out, mode):
                        return


ENTRIES: Final = (
    Technique(
        "fireworks",
        N_("Fireworks"),
        scan=scan_fireworks,
        family=Family.ALMOST_LOCKED_SETS,
        tier=5,
        bound=SHORT,  # a finite list of crossings
    ),
)
