"""Uniformly random solved grids, drawn box by box on arrays; no search, no tables of grids.

Boxes 1, 5 and 9 (numbered from the top left) share no house, so each takes any of its 9! fillings. For the
other boxes, the row and the column of each digit follow:

- Box 3: a digit must avoid its row of box 1 and its column of box 9. How many digits of each row of box 1
  come from each column of box 9 determines the possible fillings, 384 to 448 of them: `corners` lists them.
  Box 7 is analogous.
- Box 2: its rows are determined, since a digit takes the row that boxes 1 and 3 leave. Each row can be
  arranged in two ways, or in none, so that no digit has its column of box 5; the remaining column is its
  place in box 8, where it may fit or not. Boxes 4 and 6 are analogous, with columns for rows.

A draw that doesn't fit is rejected as a whole, and one with fewer than 448 fillings of a corner is rejected
with a probability that compensates. Every solved grid comes from exactly one sequence of draws, all equally
likely, so the result is uniform. One draw in 9!^3 * 448^2 * 8^2 / N fits, N being the number of solved grids,
6,670,903,752,021,072,936,960: one in 92.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .rng import below, shuffle

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]
Places = NDArray[np.int64]

MOST_CORNERS: Final = 448


def _deals() -> Places:
    """Return int64[56, 9]: the line 0..2 that each of nine digits goes to when they come from lines 0, 0,
    0, 1, 1, 1, 2, 2, 2.
    """
    away = [(1, 2), (0, 2), (0, 1)]
    ways = product(*(away[item // 3] for item in range(9)))
    return np.array([way for way in ways if all(way.count(line) == 3 for line in range(3))], np.int64)


@cache
def corners() -> Places:
    """Return int64[256, 449]: the fillings of a corner box by the table of its digits' origins.

    The table's number is its upper left 2 x 2 in base 4, row by row. First comes the number of fillings, then
    each as nine cells 0..8 of four bits, for the digits in order of home row, then home column. Computed at
    first use, in some 20 ms.
    """
    deals = _deals()
    out = np.zeros((256, 1 + MOST_CORNERS), np.int64)
    for number in range(256):
        upper = [(number >> 6, number >> 4 & 3), (number >> 2 & 3, number & 3)]
        table = [(left, middle, 3 - left - middle) for left, middle in upper]
        table.append(tuple(3 - sum(column) for column in zip(*table, strict=True)))
        if min(map(min, table)) < 0:
            continue
        home_columns = [column for row in table for column in range(3) for _ in range(row[column])]
        place = np.argsort(np.argsort(home_columns, kind="stable"))  # among the digits by column, then row
        cells = 3 * deals[:, None, :] + deals[:, place]
        filled = np.bitwise_or.reduce(1 << cells, axis=2)
        fillings = (cells[filled == 511] << np.arange(0, 36, 4)).sum(axis=1)
        out[number, 0] = len(fillings)
        out[number, 1 : 1 + len(fillings)] = fillings
    return out


@kernel
def draw_diagonal(state: State, out: Digits) -> None:
    """Write the nine digits at random to each of boxes 1, 5 and 9 of uint8[81] `out`; the others stay empty.

    Mutates the random `state`.
    """
    digits = np.arange(1, 10)
    out[:] = 0
    for box in range(3):
        shuffle(state, digits)
        for place in range(9):
            out[30 * box + 9 * (place // 3) + place % 3] = digits[place]


@kernel
def complete_diagonal(state: State, corners: Places, out: Digits) -> int:
    """Complete boxes 1, 5 and 9 of uint8[81] `out` to a solved grid, all such grids being equally likely.

    Overwrites the other boxes. Returns the number of draws; mutates the random `state`.
    """
    rows, columns = np.zeros((9, 9), np.int64), np.zeros((9, 9), np.int64)
    for box in range(0, 9, 4):
        for place in range(9):
            digit = np.int64(out[27 * (box // 3) + 3 * (box % 3) + 9 * (place // 3) + place % 3]) - 1
            rows[box, digit] = place // 3
            columns[box, digit] = place % 3
    upper, lower = corners[_table(rows[0], columns[8])], corners[_table(rows[8], columns[0])]
    from_home = np.zeros((2, 9), np.int64)
    _order(rows[0], columns[8], from_home[0])
    _order(rows[8], columns[0], from_home[1])
    draws = 0
    while True:
        draws += 1
        _fill_corner(upper[1 + below(state, upper[0])], from_home[0], rows[2], columns[2])
        _fill_corner(lower[1 + below(state, lower[0])], from_home[1], rows[6], columns[6])
        if _draw_sides(state, rows, columns):
            _write(rows, columns, np.arange(1, 10), out)
            return draws


@kernel
def uniform(state: State, corners: Places, out: Digits) -> int:
    """Write a solved grid to uint8[81] `out`, all being equally likely.

    Returns the number of draws; mutates the random `state`.
    """
    rows, columns = np.zeros((9, 9), np.int64), np.zeros((9, 9), np.int64)
    digits, from_home = np.arange(9), np.zeros(9, np.int64)
    for digit in range(9):  # box 1 in order: digits are relabeled at the end
        rows[0, digit] = digit // 3
        columns[0, digit] = digit % 3
    draws = 0
    while True:
        draws += 1
        shuffle(state, digits)
        for place in range(9):
            rows[8, digits[place]] = place // 3
            columns[8, digits[place]] = place % 3
        upper, lower = corners[_table(rows[0], columns[8])], corners[_table(rows[8], columns[0])]
        one, other = below(state, MOST_CORNERS), below(state, MOST_CORNERS)
        if one >= upper[0] or other >= lower[0]:
            continue
        shuffle(state, digits)
        for place in range(9):
            rows[4, digits[place]] = place // 3
            columns[4, digits[place]] = place % 3
        _order(rows[0], columns[8], from_home)
        _fill_corner(upper[1 + one], from_home, rows[2], columns[2])
        _order(rows[8], columns[0], from_home)
        _fill_corner(lower[1 + other], from_home, rows[6], columns[6])
        if _draw_sides(state, rows, columns):
            shuffle(state, digits)
            _write(rows, columns, digits + 1, out)
            return draws


@kernel
def _table(home_rows: Places, home_columns: Places) -> int:
    """Return the number, for `corners`, of the table of how many digits have each home row and home
    column.
    """
    number = 0
    for digit in range(9):
        if home_rows[digit] < 2 and home_columns[digit] < 2:
            number += 64 >> 4 * home_rows[digit] + 2 * home_columns[digit]
    return number


@kernel
def _order(home_rows: Places, home_columns: Places, out: Places) -> None:
    """Write the digits 0..8 by home row, then by home column, to int64[9] `out`."""
    for digit in range(9):
        key = 3 * home_rows[digit] + home_columns[digit]
        place = digit
        while place > 0 and 3 * home_rows[out[place - 1]] + home_columns[out[place - 1]] > key:
            out[place] = out[place - 1]
            place -= 1
        out[place] = digit


@kernel
def _fill_corner(filling: int, from_home: Places, out_rows: Places, out_columns: Places) -> None:
    """Give each digit its row and its column by a filling of `corners`."""
    for digit in from_home:
        cell = filling & 15
        filling >>= 4
        out_rows[digit] = cell // 3
        out_columns[digit] = cell % 3


@kernel
def _draw_sides(state: State, rows: Places, columns: Places) -> bool:
    """Draw boxes 2, 4, 6 and 8 (1, 3, 5 and 7 here) of `rows` and `columns`; False if they don't fit."""
    _third(rows[0], rows[2], rows[1])
    if not _lay_out(state, rows[1], columns[4], columns[1]):
        return False
    _third(rows[6], rows[8], rows[7])
    _third(columns[1], columns[4], columns[7])
    if not _fits(rows[7], columns[7]):
        return False
    _third(columns[0], columns[6], columns[3])
    if not _lay_out(state, columns[3], rows[4], rows[3]):
        return False
    _third(rows[3], rows[4], rows[5])
    _third(columns[2], columns[8], columns[5])
    return _fits(rows[5], columns[5])


@kernel
def _third(first: Places, second: Places, out: Places) -> None:
    """Give each digit the line that two boxes leave; as one array expression it took half of the time of a
    draw.
    """
    for digit in range(9):
        out[digit] = 3 - first[digit] - second[digit]


@kernel
def _fits(rows: Places, columns: Places) -> bool:
    """Whether the nine digits of a box have a cell each."""
    filled = 0
    for digit in range(9):
        filled |= 1 << (3 * rows[digit] + columns[digit])
    return filled == 511


@kernel
def _write(rows: Places, columns: Places, names: Places, out: Digits) -> None:
    """Write the nine boxes to uint8[81] `out`, digit d as names[d]."""
    for box in range(9):
        corner = 27 * (box // 3) + 3 * (box % 3)
        for digit in range(9):
            out[corner + 9 * rows[box, digit] + columns[box, digit]] = names[digit]


LAYOUTS: Final = np.array(list(permutations(range(3))), np.int64)


@kernel
def _lay_out(state: State, lines: Places, avoided: Places, out: Places) -> bool:
    """Give the digits of each line different places 0..2 in it, none the one that it avoids.

    False if impossible; otherwise both ways are equally likely. Mutates the random `state`.
    """
    for line in range(3):
        first, second, third = -1, -1, -1
        for digit in range(9):
            if lines[digit] == line:
                first, second, third = second, third, digit
        if avoided[first] == avoided[second] and avoided[second] == avoided[third]:
            return False
        left = below(state, 2)  # ways to skip
        for way in range(6):
            if (
                LAYOUTS[way, 0] != avoided[first]
                and LAYOUTS[way, 1] != avoided[second]
                and LAYOUTS[way, 2] != avoided[third]
            ):
                if left == 0:
                    out[first], out[second], out[third] = LAYOUTS[way, 0], LAYOUTS[way, 1], LAYOUTS[way, 2]
                left -= 1
    return True
