"""A position as one flat int32 array, and its two operations. engine.position wraps it for callers.

    DIGITS + cell            the digit placed, 1..9, or 0
    CANDIDATES + cell        nine bits, bit d for digit d + 1; 0 in a placed cell
    PLACES + 27 * d + house  nine bits: where in the house digit d + 1 is still a candidate
    CELLS + 3 * d + band     27 bits: where in the band it is
    GIVENS + cell            1 if the digit is printed
    EMPTY + house            nine bits: which of its cells are empty
    LEFT                     how many cells are empty

In kernels a digit is 0..8 and a candidate is the number 9 * cell + digit, 0..728. The tables are always
consistent: all writes to a position go through `place` and `remove`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .bits import trailing_zeros
from .tables import (
    ALL_DIGITS,
    CELL_HOUSES,
    CELL_PEERS,
    HOUSE_CELLS,
    PEER_WORDS,
    PLACE_IN,
    UNSEEN_PLACES,
)

State = NDArray[np.int32]

DIGITS: Final = 0
CANDIDATES: Final = 81
PLACES: Final = 162
CELLS: Final = PLACES + 9 * 27
GIVENS: Final = CELLS + 9 * 3
EMPTY: Final = GIVENS + 81
LEFT: Final = EMPTY + 27
STATE_SIZE: Final = LEFT + 1


@kernel
def copy_to(position: State, target: State) -> None:
    """Copy `position` to `target`; a slice would add a second of compile time at each use."""
    for index in range(STATE_SIZE):
        target[index] = position[index]


@kernel
def remove(position: State, cell: int, digit: int) -> bool:
    """Remove candidate `digit` (0..8) from `cell` in `position`; False if it wasn't there."""
    bit = 1 << digit
    if not position[CANDIDATES + cell] & bit:
        return False
    position[CANDIDATES + cell] &= ~bit
    for kind in range(3):
        position[PLACES + 27 * digit + CELL_HOUSES[cell, kind]] &= ~(1 << PLACE_IN[cell, kind])
    position[CELLS + 3 * digit + cell // 27] &= ~(1 << (cell % 27))
    return True


@kernel
def place(position: State, cell: int, digit: int) -> None:
    """Place `digit` (0..8) in the empty `cell` of `position` and remove it from every cell that sees it."""
    keep = ~(1 << digit)
    others = position[CANDIDATES + cell] & keep
    while others:
        remove(position, cell, trailing_zeros(others))
        others &= others - 1
    # Update all of the digit at once instead of candidate by candidate, in a third of the time.
    for house in range(27):
        position[PLACES + 27 * digit + house] &= UNSEEN_PLACES[cell, house]
    for band in range(3):
        position[CELLS + 3 * digit + band] &= ~PEER_WORDS[cell, band]
    position[CELLS + 3 * digit + cell // 27] &= ~(1 << (cell % 27))
    for index in range(20):
        position[CANDIDATES + CELL_PEERS[cell, index]] &= keep
    position[CANDIDATES + cell] = 0
    position[DIGITS + cell] = digit + 1
    for kind in range(3):
        position[EMPTY + CELL_HOUSES[cell, kind]] &= ~(1 << PLACE_IN[cell, kind])
    position[LEFT] -= 1


@kernel
def load(digits: NDArray[np.uint8], candidates: NDArray[np.int32], position: State) -> None:
    """Fill `position` from uint8[81] placed digits (0 = empty) and int32[81] candidate masks.

    Drops candidates in placed cells and those that a placed digit sees. The placed digits count as printed.
    """
    position[:] = 0
    position[LEFT] = 81
    held = np.zeros(27, dtype=np.int32)  # placed digits of each house
    for cell in range(81):
        position[DIGITS + cell] = digits[cell]
        if digits[cell]:
            position[GIVENS + cell] = 1
            position[LEFT] -= 1
            for kind in range(3):
                held[CELL_HOUSES[cell, kind]] |= 1 << (position[DIGITS + cell] - 1)
    for cell in range(81):
        if position[DIGITS + cell]:
            continue
        mask = candidates[cell] & ALL_DIGITS
        for kind in range(3):
            position[EMPTY + CELL_HOUSES[cell, kind]] |= 1 << PLACE_IN[cell, kind]
            mask &= ~held[CELL_HOUSES[cell, kind]]
        position[CANDIDATES + cell] = mask
        while mask:
            digit = trailing_zeros(mask)
            mask &= mask - 1
            for kind in range(3):
                position[PLACES + 27 * digit + CELL_HOUSES[cell, kind]] |= 1 << PLACE_IN[cell, kind]
            position[CELLS + 3 * digit + cell // 27] |= 1 << (cell % 27)


@kernel
def broken(position: State) -> bool:
    """Whether an empty cell has no candidate, or a digit has no place left in a house."""
    for cell in range(81):
        if not position[DIGITS + cell] and not position[CANDIDATES + cell]:
            return True
    for house in range(27):
        found = 0
        for digit in range(9):
            if position[PLACES + 27 * digit + house]:
                found |= 1 << digit
        for index in range(9):
            placed = position[DIGITS + HOUSE_CELLS[house, index]]
            if placed:
                found |= 1 << (placed - 1)
        if found != ALL_DIGITS:
            return True
    return False
