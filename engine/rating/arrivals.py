"""Singles in the order in which they arose, as HoDoKu's queues hold them; finds only those three techniques.

HoDoKu has a queue of naked and one of hidden singles. A placed digit is removed from the cells that see it,
cell by cell, then its own cell's other candidates are removed. Whenever a cell has one candidate left, or a
digit one place in a row, column or box, that single joins its queue. A puzzle's digits are placed cell by
cell.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import trailing_zeros
from ..kernels.state import (
    CANDIDATES,
    CELLS,
    DIGITS,
    EMPTY,
    GIVENS,
    LEFT,
    PLACES,
    STATE_SIZE,
    State,
    copy_to,
    place,
    remove,
)
from ..kernels.steps import (
    FIRST,
    FIRST_HEADER,
    PLACED,
    REMOVED,
    WIDTH,
    Steps,
    begin,
    commit,
    put_cell,
    put_house,
    put_placed,
)
from ..kernels.tables import ALL_DIGITS, CELL_HOUSES, HOUSE_CELLS, HOUSE_WORDS, PEER_WORDS
from ..techniques.entry import BASE, PATTERN
from ..techniques.keys import NUMBER

Arrivals = NDArray[np.int32]

# The number of singles that have joined each queue, how many of its first ones are in cells placed since,
# then the queues, of candidates 9 * cell + digit.
_NAKED_COUNT: Final = 0
_HIDDEN_COUNT: Final = 1
_NAKED_GONE: Final = 2
_HIDDEN_GONE: Final = 3
_NAKED: Final = 4
_HIDDEN: Final = _NAKED + 81
ARRIVALS_SIZE: Final = _HIDDEN + 9 * 27

# The empty position, cached: loading it takes longer than placing the digits of a puzzle.
_BLANK: Final[State] = np.zeros(STATE_SIZE, dtype=np.int32)
_BLANK[CANDIDATES:CELLS] = ALL_DIGITS
_BLANK[CELLS:GIVENS] = (1 << 27) - 1
_BLANK[EMPTY:LEFT] = ALL_DIGITS
_BLANK[LEFT] = 81

FULL_HOUSE: Final = NUMBER["full_house"]
NAKED_SINGLE: Final = NUMBER["naked_single"]
HIDDEN_SINGLE: Final = NUMBER["hidden_single"]


@kernel
def _join(arrivals: Arrivals, count: int, queue: int, cell: int, digit: int) -> None:
    """Append a single to a queue."""
    arrivals[queue + arrivals[count]] = 9 * cell + digit
    arrivals[count] += 1


@kernel
def _join_hidden(position: State, arrivals: Arrivals, cell: int, digit: int) -> None:
    """Queue the hidden singles that appear when `digit` leaves `cell`."""
    for kind in range(3):
        house = CELL_HOUSES[cell, kind]
        places = position[PLACES + 27 * digit + house]
        if places and not places & (places - 1):
            _join(arrivals, _HIDDEN_COUNT, _HIDDEN, HOUSE_CELLS[house, trailing_zeros(places)], digit)


@kernel
def _remove(position: State, arrivals: Arrivals, cell: int, digit: int) -> None:
    """Remove a candidate and queue new singles."""
    if not remove(position, cell, digit):
        return
    _join_hidden(position, arrivals, cell, digit)
    mask = position[CANDIDATES + cell]
    if mask and not mask & (mask - 1):
        _join(arrivals, _NAKED_COUNT, _NAKED, cell, trailing_zeros(mask))


@kernel
def _place(position: State, arrivals: Arrivals, cell: int, digit: int) -> None:
    """Place a digit and queue new singles, in the order in which they arise cell by cell."""
    cells = CELLS + 3 * digit
    top = int(position[cells] & PEER_WORDS[cell, 0])
    middle = int(position[cells + 1] & PEER_WORDS[cell, 1])
    bottom = int(position[cells + 2] & PEER_WORDS[cell, 2])
    others = position[CANDIDATES + cell] & ~(1 << digit)
    place(position, cell, digit)
    for band in range(3):
        rest = top if band == 0 else middle if band == 1 else bottom
        while rest:
            peer = 27 * band + trailing_zeros(rest)
            rest &= rest - 1
            for kind in range(3):
                house = CELL_HOUSES[peer, kind]
                places = position[PLACES + 27 * digit + house]
                if places == 0 or places & (places - 1):
                    continue
                # It has one place left once the last of the cells in it has lost the digit.
                later = rest & HOUSE_WORDS[house, band]
                later |= middle & HOUSE_WORDS[house, 1] if band < 1 else 0
                later |= bottom & HOUSE_WORDS[house, 2] if band < 2 else 0
                if later == 0:
                    _join(arrivals, _HIDDEN_COUNT, _HIDDEN, HOUSE_CELLS[house, trailing_zeros(places)], digit)
            mask = position[CANDIDATES + peer]
            if mask and not mask & (mask - 1):
                _join(arrivals, _NAKED_COUNT, _NAKED, peer, trailing_zeros(mask))
    while others:
        _join_hidden(position, arrivals, cell, trailing_zeros(others))
        others &= others - 1


@kernel
def arrive(position: State, arrivals: Arrivals) -> None:
    """Fill the queues as if the digits of `position` were placed and its candidates removed one by one."""
    arrivals[:_NAKED] = 0
    built = np.empty(STATE_SIZE, dtype=np.int32)
    copy_to(_BLANK, built)
    for cell in range(81):
        if position[DIGITS + cell]:
            _place(built, arrivals, cell, position[DIGITS + cell] - 1)
    for cell in range(81):
        gone = built[CANDIDATES + cell] & ~position[CANDIDATES + cell]
        while gone:
            _remove(built, arrivals, cell, trailing_zeros(gone))
            gone &= gone - 1


@kernel
def apply_and_join(out: Steps, index: int, position: State, arrivals: Arrivals) -> None:
    """Apply step `index` of `out` to `position` and queue new singles."""
    header = FIRST_HEADER + index * WIDTH
    for at in range(out[header + REMOVED], out[header + REMOVED + 1]):
        _remove(position, arrivals, out[at] // 9, out[at] % 9)
    for at in range(out[header + PLACED], out[header + PLACED + 1]):
        _place(position, arrivals, out[at] // 9, out[at] % 9)


@kernel
def put_first_single(position: State, arrivals: Arrivals, out: Steps) -> bool:
    """Write the first queued single to `out`: full houses first, then naked, then hidden singles."""
    _pass_over(position, arrivals, _NAKED, _NAKED_COUNT, _NAKED_GONE)
    _pass_over(position, arrivals, _HIDDEN, _HIDDEN_COUNT, _HIDDEN_GONE)
    first = -1
    for at in range(_NAKED + arrivals[_NAKED_GONE], _NAKED + arrivals[_NAKED_COUNT]):
        cell, digit = arrivals[at] // 9, arrivals[at] % 9
        if position[DIGITS + cell]:
            continue
        if first < 0:
            first = arrivals[at]
        for kind in range(3):
            house = CELL_HOUSES[cell, kind]
            if not position[EMPTY + house] & (position[EMPTY + house] - 1):
                _put(out, FULL_HOUSE, cell, digit, house)
                return True
    if first >= 0:
        _put(out, NAKED_SINGLE, first // 9, first % 9, -1)
        return True
    for at in range(_HIDDEN + arrivals[_HIDDEN_GONE], _HIDDEN + arrivals[_HIDDEN_COUNT]):
        cell, digit = arrivals[at] // 9, arrivals[at] % 9
        if position[DIGITS + cell]:
            continue
        for kind in range(3):
            house = CELL_HOUSES[cell, kind]
            places = position[PLACES + 27 * digit + house]
            if places and not places & (places - 1):
                _put(out, HIDDEN_SINGLE, cell, digit, house)
                return True
    return False


@kernel
def _pass_over(position: State, arrivals: Arrivals, queue: int, joined: int, gone: int) -> None:
    """Count the first singles of a queue whose cells are placed, so that they are skipped later."""
    while arrivals[gone] < arrivals[joined] and position[DIGITS + arrivals[queue + arrivals[gone]] // 9]:
        arrivals[gone] += 1


@kernel
def _put(out: Steps, key: int, cell: int, digit: int, house: int) -> None:
    """Write a single to `out`; `house` is the house that shows it, or -1."""
    begin(out, key, 0, 1 << digit, 1)
    put_placed(out, cell, digit)
    put_cell(out, PATTERN, 1 << digit, cell)
    if house >= 0:
        put_house(out, BASE, 1 << digit, house)
    commit(out, FIRST)
