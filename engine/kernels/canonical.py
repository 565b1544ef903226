"""The smallest of all equivalent grids, on arrays: a search over the first two rows, which determine the
rest.

Given the first and second row and the order of the columns, the first row relabels the digits (1 to 9), and
every other row is placed by its first digit. For a pair of rows at most 18 of the 1,296 column orders can
give the smallest second row, so 36 pairs leave 216 to 648 candidates.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel

Digits = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Candidates = NDArray[np.int32]

MAP_LENGTH: Final = (
    28  # transposed 0 or 1, nine rows, nine columns, nine digits: the fields of Transformation
)

_ORDERS: Final = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]], np.int64)
_STACK_OF: Final = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2], np.int64)
_STACK_SUM: Final = np.array([3, 3, 3, 12, 12, 12, 21, 21, 21], np.int64)  # of a stack's three columns
_UNKNOWN: Final = 1 << 40  # greater than any packed row
_WHOLE_STACK: Final = 0x457_000_000  # smaller second rows begin with 456: a whole stack moved over


@kernel
def _apart(over: Numbers, start: int) -> int:
    """Return which of three columns has its digit above in another stack than the other two."""
    one, two, three = _STACK_OF[over[start]], _STACK_OF[over[start + 1]], _STACK_OF[over[start + 2]]
    if one == two:
        return 2
    return 1 if one == three else 0


@kernel
def _order_columns(over: Numbers, whole: bool, columns: Numbers) -> None:
    """Complete int64[9] `columns`, whose first three are set, so that the second row is smallest.

    over: for each column, the one where the first row has this column's digit of the second row.
    whole: the first three such columns are in one stack; else the third is apart from the first two.
    """
    for at in range(3):
        columns[3 + at] = over[columns[at]]
    if whole:
        for at in range(3):
            columns[6 + at] = over[columns[3 + at]]
        return
    columns[6] = columns[5]
    columns[5] = _STACK_SUM[columns[3]] - columns[3] - columns[4]
    last = _STACK_OF[columns[6]]
    columns[7] = over[columns[3]]  # the first of the last stack's unlabeled digits becomes an 8
    if _STACK_OF[columns[7]] != last:
        columns[7] = over[columns[4]]
    columns[8] = _STACK_SUM[columns[6]] - columns[6] - columns[7]


@kernel
def _packed(grid: Numbers, row: int, columns: Numbers, label: Numbers) -> int:
    """Return nine relabeled digits of a row, four bits each, so that rows compare as numbers."""
    packed = 0
    for at in range(9):
        packed = packed << 4 | label[grid[9 * row + columns[at]]]
    return packed


@kernel
def _order_rows(grid: Numbers, column: int, label: Numbers, row_of: Numbers, rows: Numbers) -> None:
    """Complete int64[9] `rows`, whose first three are set, by first digits; overwrites `row_of`."""
    top = rows[0] // 3
    for row in range(9):
        row_of[label[grid[9 * row + column]]] = row
    fourth = -1
    upper, lower = 3, 6
    for name in range(1, 10):
        row = row_of[name]
        if row // 3 == top:
            continue
        if fourth < 0:
            fourth = row // 3
        if row // 3 == fourth:
            rows[upper] = row
            upper += 1
        else:
            rows[lower] = row
            lower += 1


@kernel
def _compare(
    grid: Numbers, rows: Numbers, columns: Numbers, label: Numbers, best: Numbers, less: bool
) -> int:
    """Compare rows 2 to 8 with the `best` so far: -1 less, 0 equal, 1 greater. If less, copies them to
    `best`.

    less: the second row was less already.
    """
    for at in range(2, 9):
        packed = _packed(grid, rows[at], columns, label)
        if not less:
            if packed > best[at]:
                return 1
            less = packed < best[at]
        if less:
            best[at] = packed
    return -1 if less else 0


@kernel
def _image(
    source: Digits, transposed: int, rows: Numbers, columns: Numbers, label: Numbers, out: Digits
) -> int:
    """Write the image of `source` to uint8[81] `out` if it is less than `out`: -1 less, 0 equal, 1
    greater.
    """
    less = False
    for row in range(9):
        for column in range(9):
            if transposed:
                digit = label[source[9 * columns[column] + rows[row]]]
            else:
                digit = label[source[9 * rows[row] + columns[column]]]
            at = 9 * row + column
            if not less:
                if digit > out[at]:
                    return 1
                less = digit < out[at]
            if less:
                out[at] = digit
    return -1 if less else 0


@kernel
def least_image(givens: Digits, solution: Digits, out: Digits, out_map: Digits) -> int:
    """Compute the smallest image of a puzzle under the transformations that map its solution to its canonical
    form.

    givens, solution: uint8[81], read only, the same for a full grid.
    out: uint8[81], the image. out_map: uint8[MAP_LENGTH], a transformation to it. Returns the number of such
    transformations, which is that of the puzzle's automorphisms.
    """
    grid = np.empty(81, np.int64)
    best = np.empty(9, np.int64)
    best[1] = _UNKNOWN
    column_of = np.zeros(10, np.int64)
    over = np.zeros(9, np.int64)
    rows = np.zeros(9, np.int64)
    columns = np.zeros(9, np.int64)
    place = np.zeros(9, np.int64)
    label = np.zeros(10, np.int64)
    row_of = np.zeros(10, np.int64)
    lead = 0
    for transposed in range(2):
        for cell in range(81):
            grid[cell] = solution[cell % 9 * 9 + cell // 9] if transposed else solution[cell]
        for pair in range(18):
            first = pair // 2
            rows[0] = first
            rows[1] = first // 3 * 3 + (first % 3 + 1 + pair % 2) % 3
            rows[2] = first // 3 * 9 + 3 - rows[0] - rows[1]
            for column in range(9):
                column_of[grid[9 * rows[0] + column]] = column
            for column in range(9):
                over[column] = column_of[grid[9 * rows[1] + column]]
            whole = over[0] // 3 == over[1] // 3 == over[2] // 3
            if not whole and best[1] < _WHOLE_STACK:
                continue
            for choice in range(18):
                start = choice // 6 * 3
                third = start + _ORDERS[choice % 6, 2]
                if not whole and third != start + _apart(over, start):
                    continue
                columns[0] = start + _ORDERS[choice % 6, 0]
                columns[1] = start + _ORDERS[choice % 6, 1]
                columns[2] = third
                _order_columns(over, whole, columns)
                for at in range(9):
                    place[columns[at]] = at + 1
                second = 0
                for at in range(9):
                    second = second << 4 | place[over[columns[at]]]
                if second > best[1]:
                    continue
                for at in range(9):
                    label[grid[9 * rows[0] + columns[at]]] = at + 1
                less = second < best[1]
                best[1] = second
                _order_rows(grid, columns[0], label, row_of, rows)
                order = _compare(grid, rows, columns, label, best, less)
                if order > 0:
                    continue
                if order < 0:
                    out[:] = 255
                order = _image(givens, transposed, rows, columns, label, out)
                if order > 0:
                    continue
                lead = lead + 1 if order == 0 else 1
                if order < 0:
                    out_map[0] = transposed
                    for at in range(9):
                        out_map[1 + at] = rows[at]
                        out_map[10 + at] = columns[at]
                        out_map[19 + at] = label[1 + at]
    return lead


@kernel
def start_of_form(givens: Digits, solution: Digits, form: Digits, solved: Digits, origin: Candidates) -> None:
    """Compute the smallest image of a puzzle, as `least_image`, its solution, and the origin of its
    candidates.

    givens, solution: uint8[81], read only. form, solved: uint8[81], output. origin: int32[729], output: for
    each candidate 9 * cell + digit (0..8) of the image, that of the puzzle.
    """
    lead = np.empty(MAP_LENGTH, np.uint8)
    least_image(givens, solution, form, lead)
    for row in range(9):
        for column in range(9):
            across, down = int(lead[1 + row]), int(lead[10 + column])
            source = 9 * down + across if lead[0] else 9 * across + down
            cell = 9 * row + column
            solved[cell] = lead[18 + solution[source]]
            for digit in range(9):
                origin[9 * cell + int(lead[19 + digit]) - 1] = 9 * source + digit


@kernel
def least_images(givens: Digits, solutions: Digits, out: Digits) -> None:
    """Write the smallest image of each row of uint8[n, 81] `givens` to `out`; zeros if the solution is
    zeros.
    """
    lead = np.empty(MAP_LENGTH, np.uint8)
    for at in range(len(givens)):
        if solutions[at, 0] == 0:
            out[at] = 0
        else:
            least_image(givens[at], solutions[at], out[at], lead)
