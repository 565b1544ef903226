"""The table of almost locked sets: n cells of one house that hold n + 1 digits. Finds no steps by itself.

A row of the table, AlsTable int32[room, ALS_WIDTH], is one set:

    WORDS + band             its cells, 27 bits a band
    ALS_DIGITS               nine bits
    ALS_SIZE                 how many cells
    HOMES + d                27 bits: the houses that hold every cell of it with digit d; 0 where it lacks d
    SEERS + 3 * d + band     the candidates d outside the set that see every cell of it with d

Digit d cannot be true in both of two sets (it is a restricted common) exactly where they share a home of d
and no cell with d: cells that all see each other always lie in one house.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bits import count_ones, trailing_zeros
from engine.kernels.state import CANDIDATES, CELLS, State
from engine.kernels.steps import Steps, put_cell
from engine.kernels.tables import CELL_HOUSES, HOUSE_CELLS, PEER_WORDS

AlsTable = NDArray[np.int32]

WORDS: Final = 0
ALS_DIGITS: Final = 3
ALS_SIZE: Final = 4
HOMES: Final = 5
SEERS: Final = 14
ALS_WIDTH: Final = 41

ALS_ROOM: Final = 4096  # sets in a table; positions of real puzzles have some hundred


@kernel
def _add(
    position: State, table: AlsTable, row: int, cells: NDArray[np.int32], size: int, digits: int
) -> None:
    """Fill a row of `table` for the first `size` of `cells`."""
    for field in range(ALS_WIDTH):
        table[row, field] = 0
    table[row, ALS_DIGITS] = digits
    table[row, ALS_SIZE] = size
    for index in range(size):
        table[row, WORDS + cells[index] // 27] |= 1 << cells[index] % 27
    for digit in range(9):
        if not digits >> digit & 1:
            continue
        homes = (1 << 27) - 1
        top = position[CELLS + 3 * digit]
        middle = position[CELLS + 3 * digit + 1]
        bottom = position[CELLS + 3 * digit + 2]
        for index in range(size):
            cell = cells[index]
            if position[CANDIDATES + cell] >> digit & 1:
                homes &= 1 << CELL_HOUSES[cell, 0] | 1 << CELL_HOUSES[cell, 1] | 1 << CELL_HOUSES[cell, 2]
                top &= PEER_WORDS[cell, 0]
                middle &= PEER_WORDS[cell, 1]
                bottom &= PEER_WORDS[cell, 2]
        table[row, HOMES + digit] = homes
        table[row, SEERS + 3 * digit] = top
        table[row, SEERS + 3 * digit + 1] = middle
        table[row, SEERS + 3 * digit + 2] = bottom


@kernel
def collect_almost_locked(position: State, table: AlsTable) -> int:
    """Fill `table` with every almost locked set; how many, or -1 where they do not fit.

    Houses in their order (rows, columns, boxes), in each the sets in the lexical order of their cells; a set
    of two houses stands with the first. HoDoKu's chains, which only go forward, depend on exactly this order.
    """
    count = 0
    open_cells = np.empty(9, dtype=np.int32)
    chosen = np.empty(9, dtype=np.int32)
    at = np.empty(10, dtype=np.int32)
    union = np.zeros(10, dtype=np.int32)
    for house in range(27):
        total = 0
        for index in range(9):
            cell = HOUSE_CELLS[house, index]
            if position[CANDIDATES + cell]:
                open_cells[total] = cell
                total += 1
        depth = 0
        at[0] = -1
        while depth >= 0:
            at[depth] += 1
            if at[depth] == total:
                depth -= 1
                continue
            cell = open_cells[at[depth]]
            chosen[depth] = cell
            digits = union[depth] | position[CANDIDATES + cell]
            size = depth + 1
            excess = count_ones(digits) - size
            if excess == 1 and not _known(house, chosen, size):
                if count == len(table):
                    return -1
                _add(position, table, count, chosen, size, digits)
                count += 1
            # Each further cell takes at most one off the excess.
            if size < 8 and excess - (total - 1 - at[depth]) <= 1:
                union[size] = digits
                at[size] = at[depth]
                depth = size
    return count


@kernel
def _known(house: int, cells: NDArray[np.int32], size: int) -> bool:
    """Whether the first `size` of `cells`, which lie in `house`, lie in an earlier house too."""
    if house < 9:
        return False
    if size == 1:
        return True
    if house < 18:
        return False
    row = True
    column = True
    for index in range(1, size):
        row = row and CELL_HOUSES[cells[index], 0] == CELL_HOUSES[cells[0], 0]
        column = column and CELL_HOUSES[cells[index], 1] == CELL_HOUSES[cells[0], 1]
    return row or column


@kernel
def columns_of(table: AlsTable, count: int) -> AlsTable:
    """The first `count` rows of `table` turned round, int32[ALS_WIDTH, count].

    The loops over all other sets go through neighbouring words then and are compiled to vector code: an
    eighth of the time that pairs took one by one.
    """
    columns = np.empty((ALS_WIDTH, count), dtype=np.int32)
    for row in range(count):
        for field in range(ALS_WIDTH):
            columns[field, row] = table[row, field]
    return columns


@kernel
def restricted_commons(position: State, columns: AlsTable, one: int, overlapping: bool) -> NDArray[np.int32]:
    """The digits that cannot be true both in set `one` and in each later set; the first is of set `one` + 1.

    columns: of `columns_of`.  overlapping: whether sets that share a cell with it have any.
    """
    tops, middles, bottoms = (
        columns[WORDS][one + 1 :],
        columns[WORDS + 1][one + 1 :],
        columns[WORDS + 2][one + 1 :],
    )
    found = np.zeros(len(tops), dtype=np.int32)
    top, middle, bottom = columns[WORDS, one], columns[WORDS + 1, one], columns[WORDS + 2, one]
    for digit in range(9):
        home = columns[HOMES + digit, one]
        if home == 0:
            continue
        homes = columns[HOMES + digit][one + 1 :]
        first = top & position[CELLS + 3 * digit]
        second = middle & position[CELLS + 3 * digit + 1]
        third = bottom & position[CELLS + 3 * digit + 2]
        bit = np.int32(1 << digit)
        for at in range(len(found)):
            shared = first & tops[at] | second & middles[at] | third & bottoms[at]
            found[at] |= bit if (shared == 0) & (home & homes[at] != 0) else np.int32(0)
    if not overlapping:
        for at in range(len(found)):
            shared = top & tops[at] | middle & middles[at] | bottom & bottoms[at]
            found[at] = 0 if shared else found[at]
    return found


@kernel
def seen_by_both(columns: AlsTable, one: int) -> NDArray[np.int32]:
    """Something for each later set with which set `one` has a digit that some candidate sees wherever it
    stands in both, else 0; the first is of set `one` + 1."""
    found = np.zeros(columns.shape[1] - one - 1, dtype=np.int32)
    for digit in range(9):
        if columns[HOMES + digit, one] == 0:
            continue
        for word in range(SEERS + 3 * digit, SEERS + 3 * digit + 3):
            here = columns[word, one]
            others = columns[word][one + 1 :]
            for at in range(len(found)):
                found[at] |= here & others[at]
    return found


@kernel
def overlap(table: AlsTable, one: int, other: int) -> bool:
    """Whether two sets of `table` share a cell."""
    return bool(
        table[one, WORDS] & table[other, WORDS]
        | table[one, WORDS + 1] & table[other, WORDS + 1]
        | table[one, WORDS + 2] & table[other, WORDS + 2]
    )


@kernel
def put_set(out: Steps, position: State, table: AlsTable, row: int, role: int) -> None:
    """The cells of a set belong to the proof in this role, with all their candidates."""
    for band in range(3):
        word = table[row, WORDS + band]
        while word:
            cell = 27 * band + trailing_zeros(word)
            put_cell(out, role, position[CANDIDATES + cell], cell)
            word &= word - 1
