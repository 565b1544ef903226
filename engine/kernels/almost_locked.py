"""The table of almost locked sets: n cells of one house with n + 1 digits. Finds no steps by itself.

A row of the table, `AlsTable int32[room, ALS_WIDTH]`, is one set:

    WORDS + band             its cells, 27 bits a band
    ALS_DIGITS               nine bits
    ALS_SIZE                 how many cells
    SEERS + 3 * d + band     the candidates d outside the set that see every cell of it with d

Digit d can't be true in both of two sets (it is a restricted common) exactly if every cell of one with d sees
every cell of the other with d. All these cells are then in one house.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .bits import count_ones, trailing_zeros
from .state import CANDIDATES, CELLS, PLACES, State
from .steps import Steps, put_cell
from .tables import CELL_HOUSES, HOUSE_CELLS, PEER_WORDS

AlsTable = NDArray[np.int32]

WORDS: Final = 0
ALS_DIGITS: Final = 3
ALS_SIZE: Final = 4
SEERS: Final = 5
ALS_WIDTH: Final = 32

ROW_BITS: Final = 60

Four = tuple[int, int, int, int]
Rows = NDArray[np.int64]  # [n, words] sets of almost locked sets by number, ROW_BITS a word

# Subsets of 0 to 9 items as bits, for each number of items in the order of their lists.
_LISTS: Final = [
    sorted(range(1, 1 << things), key=lambda choice: [at for at in range(9) if choice >> at & 1])
    for things in range(10)
]
_LEXICAL: Final[NDArray[np.int32]] = np.array(
    [choice for choices in _LISTS for choice in choices], dtype=np.int32
)
_LEXICAL_FROM: Final[NDArray[np.int32]] = np.cumsum([0, *map(len, _LISTS)]).astype(np.int32)

ALS_ROOM: Final = 4096  # sets in a table; positions of real puzzles have some hundred


class Sets(NamedTuple):
    """The almost locked sets of a position, indexed to look up all matching ones at once."""

    position: State
    table: AlsTable
    total: int  # -1 if they don't fit
    seen: Rows  # [9 * 81]: sets whose cells with that digit the candidate sees
    holding: Rows  # [81]: those with the cell


@kernel
def _add(position: State, table: AlsTable, row: int, house: int, places: int, digits: int) -> None:
    """Fill a row of `table` for the cells at `places` of a house."""
    for word in range(ALS_WIDTH):
        table[row, word] = 0
    table[row, ALS_DIGITS] = digits
    table[row, ALS_SIZE] = count_ones(places)
    rest = places
    while rest:
        cell = HOUSE_CELLS[house, trailing_zeros(rest)]
        rest &= rest - 1
        table[row, WORDS + cell // 27] |= 1 << cell % 27
    while digits:
        digit = trailing_zeros(digits)
        digits &= digits - 1
        top = position[CELLS + 3 * digit]
        middle = position[CELLS + 3 * digit + 1]
        bottom = position[CELLS + 3 * digit + 2]
        rest = places & position[PLACES + 27 * digit + house]
        while rest:
            cell = HOUSE_CELLS[house, trailing_zeros(rest)]
            rest &= rest - 1
            top &= PEER_WORDS[cell, 0]
            middle &= PEER_WORDS[cell, 1]
            bottom &= PEER_WORDS[cell, 2]
        table[row, SEERS + 3 * digit] = top
        table[row, SEERS + 3 * digit + 1] = middle
        table[row, SEERS + 3 * digit + 2] = bottom


@kernel
def collect_almost_locked(position: State, table: AlsTable) -> int:
    """Fill `table` with every almost locked set; returns how many, or -1 if they don't fit.

    Houses come in order (rows, columns, boxes), and the sets of each in the lexicographic order of their
    cells; a set of two houses is listed with the first. HoDoKu's chains, which only go forward, depend on
    this order.
    """
    count = 0
    union = np.zeros(512, dtype=np.int32)  # digits of a selection of a house's open cells
    places = np.zeros(512, dtype=np.int32)  # and their places in the house
    for house in range(27):
        total = 0
        for place in range(9):
            mask = position[CANDIDATES + HOUSE_CELLS[house, place]]
            if mask:
                size = 1 << total
                for choice in range(size):
                    union[size + choice] = union[choice] | mask
                    places[size + choice] = places[choice] | 1 << place
                total += 1
        for at in range(_LEXICAL_FROM[total], _LEXICAL_FROM[total + 1]):
            choice = _LEXICAL[at]
            if count_ones(union[choice]) == count_ones(choice) + 1 and not _known(house, places[choice]):
                if count == len(table):
                    return -1
                _add(position, table, count, house, places[choice], union[choice])
                count += 1
    return count


@kernel
def _known(house: int, places: int) -> bool:
    """Whether the cells at `places` of a house are in an earlier house too."""
    if house < 9:
        return False
    if places & (places - 1) == 0:
        return True
    if house < 18:
        return False
    found = False
    for line in range(3):
        found |= places & ~(0o7 << 3 * line) == 0 or places & ~(0o111 << line) == 0
    return found


@kernel
def new_rows(rows: int, count: int) -> Rows:
    """Return rows of bits for `count` sets, all zero."""
    return np.zeros((rows, (count + 4 * ROW_BITS - 1) // (4 * ROW_BITS) * 4), dtype=np.int64)


@kernel
def sets_of(position: State) -> Sets:
    """Return the sets of a position."""
    table = np.empty((ALS_ROOM, ALS_WIDTH), dtype=np.int32)
    count = collect_almost_locked(position, table)
    seen, holding = new_rows(729, max(count, 0)), new_rows(81, max(count, 0))
    for one in range(count):
        word, bit = one // ROW_BITS, np.int64(1) << one % ROW_BITS
        for band in range(3):
            rest = table[one, WORDS + band]
            while rest:
                holding[27 * band + trailing_zeros(rest), word] |= bit
                rest &= rest - 1
        digits = table[one, ALS_DIGITS]
        while digits:
            digit = trailing_zeros(digits)
            digits &= digits - 1
            for band in range(3):
                rest = table[one, SEERS + 3 * digit + band]
                while rest:
                    seen[81 * digit + 27 * band + trailing_zeros(rest), word] |= bit
                    rest &= rest - 1
    return Sets(position, table, count, seen, holding)


@kernel
def but_for_one(rows: Rows, top: int, word: int) -> int:
    """Replace each of the nine rows from `top` on by the union of the others; returns the union of all."""
    once = np.int64(0)
    twice = np.int64(0)
    for row in range(top, top + 9):
        twice |= once & rows[row, word]
        once |= rows[row, word]
    for row in range(top, top + 9):
        rows[row, word] = twice | once & ~rows[row, word]
    return int(once)


@kernel
def _join(rows: Rows, row: int, first: int, one: int, two: int, three: int, four: int) -> Four:
    """Or four words with those of a row from word `first` on; a loop would take a third longer."""
    return (
        one | rows[row, first],
        two | rows[row, first + 1],
        three | rows[row, first + 2],
        four | rows[row, first + 3],
    )


@kernel
def _keep(rows: Rows, row: int, first: int, one: int, two: int, three: int, four: int) -> Four:
    """And four words with those of a row from word `first` on."""
    return (
        one & rows[row, first],
        two & rows[row, first + 1],
        three & rows[row, first + 2],
        four & rows[row, first + 3],
    )


@kernel
def restricted_commons(sets: Sets, one: int, overlapping: bool, rows: Rows, top: int) -> None:
    """Fill ten rows from `top` on: for each digit, the sets that share it with set `one` as a restricted
    common.

    The last row is for any digit. overlapping: whether to include sets that share a cell with set `one`.
    """
    position, table, seen, holding = sets.position, sets.table, sets.seen, sets.holding
    nothing, every = 0, -1
    for first in range(0, rows.shape[1], 4):
        shared = nothing, nothing, nothing, nothing
        for band in range(3):
            rest = 0 if overlapping else table[one, WORDS + band]
            while rest:
                shared = _join(holding, 27 * band + trailing_zeros(rest), first, *shared)
                rest &= rest - 1
        for row in range(top, top + 10):
            for word in range(first, first + 4):
                rows[row, word] = 0
        digits = table[one, ALS_DIGITS]
        while digits:
            digit = trailing_zeros(digits)
            digits &= digits - 1
            found = every, every, every, every
            for band in range(3):
                rest = table[one, WORDS + band] & position[CELLS + 3 * digit + band]
                while rest:
                    found = _keep(seen, 81 * digit + 27 * band + trailing_zeros(rest), first, *found)
                    rest &= rest - 1
            for word in range(4):
                rows[top + digit, first + word] = found[word] & ~shared[word]
                rows[top + 9, first + word] |= found[word] & ~shared[word]


@kernel
def seen_by_both(sets: Sets, one: int, rows: Rows, top: int) -> None:
    """Fill rows from `top` on: for each digit of set `one` the sets with which it has another digit in common
    that some candidate sees wherever it is in both. Row 9 is of any digit.
    """
    table, seen = sets.table, sets.seen
    nothing = 0
    for first in range(0, rows.shape[1], 4):
        once = nothing, nothing, nothing, nothing
        twice = nothing, nothing, nothing, nothing
        digits = table[one, ALS_DIGITS]
        while digits:
            digit = trailing_zeros(digits)
            digits &= digits - 1
            found = nothing, nothing, nothing, nothing
            for band in range(3):
                rest = table[one, SEERS + 3 * digit + band]
                while rest:
                    found = _join(seen, 81 * digit + 27 * band + trailing_zeros(rest), first, *found)
                    rest &= rest - 1
            for word in range(4):
                rows[top + digit, first + word] = found[word]
            twice = (
                twice[0] | once[0] & found[0],
                twice[1] | once[1] & found[1],
                twice[2] | once[2] & found[2],
                twice[3] | once[3] & found[3],
            )
            once = once[0] | found[0], once[1] | found[1], once[2] | found[2], once[3] | found[3]
        digits = table[one, ALS_DIGITS]
        while digits:
            row = top + trailing_zeros(digits)
            digits &= digits - 1
            for word in range(4):
                rows[row, first + word] = twice[word] | once[word] & ~rows[row, first + word]
        for word in range(4):
            rows[top + 9, first + word] = once[word]


@kernel
def overlap(table: AlsTable, one: int, other: int) -> bool:
    """Whether two sets of `table` share a cell."""
    return bool(
        table[one, WORDS] & table[other, WORDS]
        | table[one, WORDS + 1] & table[other, WORDS + 1]
        | table[one, WORDS + 2] & table[other, WORDS + 2]
    )


@kernel
def homes_of(position: State, table: AlsTable, row: int, digit: int) -> int:
    """Return the houses that contain every cell of a set with a digit, as bits."""
    homes = (1 << 27) - 1
    for band in range(3):
        rest = table[row, WORDS + band] & position[CELLS + 3 * digit + band]
        while rest:
            cell = 27 * band + trailing_zeros(rest)
            rest &= rest - 1
            homes &= 1 << CELL_HOUSES[cell, 0] | 1 << CELL_HOUSES[cell, 1] | 1 << CELL_HOUSES[cell, 2]
    return homes


@kernel
def put_set(out: Steps, position: State, table: AlsTable, row: int, role: int) -> None:
    """Add the cells of a set to the proof in this role, with all their candidates."""
    for band in range(3):
        word = table[row, WORDS + band]
        while word:
            cell = 27 * band + trailing_zeros(word)
            put_cell(out, role, position[CANDIDATES + cell], cell)
            word &= word - 1
