"""Locked sets across many houses: with as many houses as cells, each house gives one of the cells its digit.

Choose for each digit rows, columns or boxes that contain all of it in some cells. A house gives a digit to at
most one cell. If the houses of all digits are as many as the cells, none of them can give it elsewhere.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.bits import count_ones, trailing_zeros
from ...kernels.effects import Hits, Seen, commit_shortest, new_seen, put_hits
from ...kernels.state import CANDIDATES, DIGITS, PLACES, State
from ...kernels.steps import Steps, begin, put_cell, put_house
from ...kernels.tables import CELL_HOUSES, HOUSE_WORDS
from ..entry import COVER, N_, PATTERN, SHORT, Family, Technique
from ..limits import KEY, SIZE, Limits
from ..subsets import CHOICES, FROM

Row = NDArray[np.int32]

LOOP: Final = 8  # pairs of cells of an SK-loop, and houses that join each to the next


def _loop_covers() -> tuple[list[int], list[int]]:
    """Return for each set of pairs of a loop the fewest joints that touch them all, and all joints of such
    choices.

    Joint n is between the pairs n and n + 1.
    """
    fewest, joints = [], []
    for pairs in range(1 << LOOP):
        fits = [
            chosen
            for chosen in range(1 << LOOP)
            if not pairs & ~(chosen | chosen << 1 & 0xFF | chosen >> LOOP - 1)
        ]
        least = min(chosen.bit_count() for chosen in fits)
        fewest.append(least)
        joints.append(0)
        for chosen in fits:
            if chosen.bit_count() == least:
                joints[-1] |= chosen
    return fewest, joints


_covers = _loop_covers()
FEWEST: Final[NDArray[np.int32]] = np.array(_covers[0], dtype=np.int32)
JOINTS: Final[NDArray[np.int32]] = np.array(_covers[1], dtype=np.int32)


@kernel
def _hit_outside(hits: Hits, digit: int, house: int, cells: Row) -> None:
    """Add to `hits` the digit in the house except for `cells`, a set of three words."""
    for band in range(3):
        hits[3 * digit + band] |= HOUSE_WORDS[house, band] & ~cells[band]


@kernel
def _begin(
    position: State, limits: Limits, hits: Hits, houses: Row, cells: Row, size: int, out: Steps
) -> None:
    """Begin the step. houses: the digits that each house gives, as masks. cells: three words."""
    hits[:] = 0
    digits = 0
    for house in range(27):
        digits |= houses[house]
        for digit in range(9):
            if houses[house] >> digit & 1:
                _hit_outside(hits, digit, house, cells)
    begin(out, limits[KEY], 0, digits, size)
    put_hits(out, position, hits)
    for band in range(3):
        rest = int(cells[band])
        while rest:
            cell = 27 * band + trailing_zeros(rest)
            put_cell(out, PATTERN, position[CANDIDATES + cell], cell)
            rest &= rest - 1
    for house in range(27):
        if houses[house]:
            put_house(out, COVER, houses[house], house)


@kernel
def _pairs_of_loop(first: int, second: int, left: int, right: int, pairs: Row, joints: Row) -> None:
    """Fill the houses of the pairs, [8, 2] box and line, and the joints, [8], of two rows and two columns."""
    boxes = (first // 3 * 3 + left // 3, first // 3 * 3 + right // 3)
    below = (second // 3 * 3 + left // 3, second // 3 * 3 + right // 3)
    lines = (first, first, 9 + right, 9 + right, second, second, 9 + left, 9 + left)
    corners = (boxes[0], boxes[1], boxes[1], below[1], below[1], below[0], below[0], boxes[0])
    for pair in range(LOOP):
        pairs[2 * pair] = 18 + corners[pair]
        pairs[2 * pair + 1] = lines[pair]
        joints[pair] = lines[pair] if pair % 2 == 0 else 18 + corners[pair]


@kernel
def scan_sk_loop(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find sixteen cells: two on each side of the crossings of two rows and two columns.

    Each pair of cells shares a line or a box with the next one, all around. For each digit the fewest of
    these eight houses are counted that contain it in the pairs.
    """
    pairs = np.empty(2 * LOOP, dtype=np.int32)
    joints = np.empty(LOOP, dtype=np.int32)
    cells = np.empty(3, dtype=np.int32)
    houses = np.empty(27, dtype=np.int32)
    hits = np.empty(27, dtype=np.int32)
    seen = new_seen(mode)
    for number in range(9**4):
        first, second = number // 729, number // 81 % 9
        left, right = number // 9 % 9, number % 9
        if first // 3 >= second // 3 or left // 3 >= right // 3:
            continue
        if not (
            position[DIGITS + 9 * first + left]
            and position[DIGITS + 9 * first + right]
            and position[DIGITS + 9 * second + left]
            and position[DIGITS + 9 * second + right]
        ):
            continue
        _pairs_of_loop(first, second, left, right, pairs, joints)
        cells[:] = 0
        filled = False
        held = np.zeros(9, dtype=np.int32)  # the pairs that have each digit, as bits
        for pair in range(LOOP):
            for band in range(3):
                two = HOUSE_WORDS[pairs[2 * pair], band] & HOUSE_WORDS[pairs[2 * pair + 1], band]
                while two:
                    cell = 27 * band + trailing_zeros(two)
                    two &= two - 1
                    row, column = CELL_HOUSES[cell, 0], CELL_HOUSES[cell, 1] - 9
                    if (row in (first, second)) and (column in (left, right)):
                        continue
                    mask = position[CANDIDATES + cell]
                    filled = filled or mask == 0
                    cells[band] |= 1 << cell % 27
                    for digit in range(9):
                        held[digit] |= (mask >> digit & 1) << pair
        if filled:
            continue
        given = 0
        for digit in range(9):
            given += FEWEST[held[digit]]
        if given != 2 * LOOP:
            continue
        houses[:] = 0
        for digit in range(9):
            for pair in range(LOOP):
                if JOINTS[held[digit]] >> pair & 1:
                    houses[joints[pair]] |= 1 << digit
        _begin(position, limits, hits, houses, cells, 2 * LOOP, out)
        if commit_shortest(out, mode, seen):
            return


@kernel
def _scan_rows(
    position: State,
    limits: Limits,
    rows: int,
    columns_from: int,
    columns_to: int,
    open_cells: Row,
    seen: Seen,
    mode: int,
    out: Steps,
) -> bool:
    """Find the locked sets in `rows` and some columns, CHOICES[columns_from:columns_to]; returns commit's
    result.
    """
    cells = np.empty(3, dtype=np.int32)
    houses = np.empty(27, dtype=np.int32)
    hits = np.empty(27, dtype=np.int32)
    union = np.zeros(9, dtype=np.int32)  # the columns where the rows have each digit
    for digit in range(9):
        for row in range(9):
            if rows >> row & 1:
                union[digit] |= position[PLACES + 27 * digit + row]
    for number in range(columns_from, columns_to):
        columns = int(CHOICES[number])
        count = 0
        for row in range(9):
            if rows >> row & 1:
                count += count_ones(open_cells[row] & columns)
        given = 0
        for digit in range(9):
            by_column = count_ones(union[digit] & columns)
            by_row = 0
            for row in range(9):
                if rows >> row & 1 and position[PLACES + 27 * digit + row] & columns:
                    by_row += 1
            given += min(by_row, by_column)
            if given > count:
                break
        if given != count or count == 0:
            continue
        houses[:] = 0
        for digit in range(9):
            by_row = 0
            for row in range(9):
                if rows >> row & 1 and position[PLACES + 27 * digit + row] & columns:
                    by_row += 1
            by_column = count_ones(union[digit] & columns)
            # If both counts are equal, both apply: either way the houses are as many as the cells.
            for line in range(9):
                if by_row <= by_column and rows >> line & 1:
                    houses[line] |= (position[PLACES + 27 * digit + line] & columns != 0) << digit
                if by_column <= by_row and columns >> line & 1:
                    houses[9 + line] |= (union[digit] >> line & 1) << digit
        cells[:] = 0
        for row in range(9):
            if rows >> row & 1:
                cells[row // 3] |= (open_cells[row] & columns) << 9 * (row % 3)
        _begin(position, limits, hits, houses, cells, count, out)
        if commit_shortest(out, mode, seen):
            return True
    return False


@kernel
def scan_multi_sector(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find the empty cells where 3 to limits[SIZE] rows cross as many columns, or one more or less.

    For each digit, counts the rows or the columns that have it there, whichever are fewer.
    """
    open_cells = np.zeros(9, dtype=np.int32)
    for row in range(9):
        for column in range(9):
            open_cells[row] |= (position[DIGITS + 9 * row + column] == 0) << column
    seen = new_seen(mode)
    for size in range(3, limits[SIZE] + 1):
        for number in range(FROM[size], FROM[size + 1]):
            rows = int(CHOICES[number])
            if _scan_rows(
                position,
                limits,
                rows,
                FROM[max(size - 1, 3)],
                FROM[min(size + 1, limits[SIZE]) + 1],
                open_cells,
                seen,
                mode,
                out,
            ):
                return


ENTRIES: Final = (
    Technique(
        "sk_loop",
        N_("SK-Loop"),
        scan=scan_sk_loop,
        family=Family.ALMOST_LOCKED_SETS,
        tier=5,
        bound=SHORT,  # a finite list of loops
        template_name="multi_sector_locked_sets",
        rare=True,
    ),
    Technique(
        "multi_sector_locked_sets",
        N_("Multi-Sector Locked Sets"),
        scan=scan_multi_sector,
        family=Family.ALMOST_LOCKED_SETS,
        tier=5,
        bound=SHORT,  # finite lists of rows and columns
        limits={"size": 5},
        on_request=True,
        rare=True,
    ),
)
