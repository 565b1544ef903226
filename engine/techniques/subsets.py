"""Subsets: n cells of a house that hold only n digits, or n digits with only n places. Sizes 2 to 4."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bits import count_ones, trailing_zeros
from engine.kernels.state import CANDIDATES, EMPTY, PLACES, State
from engine.kernels.steps import (
    Steps,
    begin,
    commit,
    put_cell,
    put_house,
    put_placed,
    put_removed_mask,
)
from engine.kernels.tables import ALL_DIGITS, CELL_HOUSES, HOUSE_CELLS, SHARED
from engine.techniques.entry import BASE, N_, PATTERN, SHORT, SHOWN, Family, Scope, Technique
from engine.techniques.keys import NUMBER
from engine.techniques.limits import BARREN, KEY, SIZE, Limits
from engine.techniques.singles import house_of_order

DIRECT_HIDDEN_PAIR: Final = NUMBER["direct_hidden_pair"]
DIRECT_HIDDEN_TRIPLE: Final = NUMBER["direct_hidden_triple"]

# All nine-bit masks of each size, ascending; CHOICES[FROM[n]:FROM[n + 1]] have n bits.
_BY_SIZE: Final = sorted(range(512), key=lambda mask: (mask.bit_count(), mask))
CHOICES: Final[NDArray[np.int32]] = np.array(_BY_SIZE, dtype=np.int32)
FROM: Final[NDArray[np.int32]] = np.array(
    [sum(1 for mask in _BY_SIZE if mask.bit_count() < size) for size in range(11)], dtype=np.int32
)


@kernel
def digits_in(position: State, house: int, chosen: int) -> int:
    """Return the candidates of the cells of `house` in the mask `chosen`, as nine bits."""
    union = 0
    while chosen:
        union |= int(position[CANDIDATES + HOUSE_CELLS[house, trailing_zeros(chosen)]])
        chosen &= chosen - 1
    return union


@kernel
def unpacked(packed: int, indices: int) -> int:
    """The nine bits that a mask of places in a row of indices stands for, four bits an index.

    Of the choices of a size those of n indices come first, so with the fitting indices in a row the others
    need not be passed over.
    """
    chosen = 0
    while packed:
        chosen |= 1 << (indices >> 4 * trailing_zeros(packed) & 15)
        packed &= packed - 1
    return chosen


@kernel
def _put_naked(position: State, out: Steps, house: int, chosen: int, union: int) -> None:
    """Eliminations and pattern of a naked subset, in its house alone."""
    for index in range(9):
        if not chosen >> index & 1:
            put_removed_mask(out, position, HOUSE_CELLS[house, index], union)


@kernel
def _put_chosen(position: State, out: Steps, house: int, chosen: int, digits: int) -> None:
    """The cells of `house` in the mask `chosen`, with those of `digits` they hold."""
    for index in range(9):
        if chosen >> index & 1:
            cell = HOUSE_CELLS[house, index]
            put_cell(out, PATTERN, position[CANDIDATES + cell] & digits, cell)


@kernel
def _small_cells(position: State, house: int, size: int) -> tuple[int, int]:
    """The places of the cells of two to `size` candidates in a row, four bits each, and how many they are."""
    eligible = 0
    fitting = 0
    rest = position[EMPTY + house]
    while rest:
        index = trailing_zeros(rest)
        rest &= rest - 1
        mask = position[CANDIDATES + HOUSE_CELLS[house, index]]
        if mask & (mask - 1) and count_ones(mask) <= size:
            eligible |= index << 4 * fitting
            fitting += 1
    return eligible, fitting


@kernel
def scan_naked_subset(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find limits[SIZE] cells of a house with that many digits; the rest of the house loses those."""
    size = limits[SIZE]
    for order in range(27):
        house = house_of_order(order)
        if limits[BARREN] >> house & 1:
            continue
        eligible, fitting = _small_cells(position, house, size)
        if fitting < size:
            continue
        for choice in range(FROM[size], FROM[size + 1]):
            if CHOICES[choice] >> fitting:
                break
            chosen = unpacked(int(CHOICES[choice]), eligible)
            union = digits_in(position, house, chosen)
            if count_ones(union) != size:
                continue
            begin(out, limits[KEY], 0, union, size)
            _put_naked(position, out, house, chosen, union)
            _put_chosen(position, out, house, chosen, union)
            put_house(out, SHOWN, union, house)
            if commit(out, mode):
                return


@kernel
def _put_follow_up(position: State, out: Steps, house: int, chosen: int, union: int) -> int:
    """The first digit with one place in `house` outside `union`, placed; the digits now named by the step."""
    for digit in range(9):
        places = position[PLACES + 27 * digit + house]
        left = places & ~union
        if not chosen >> digit & 1 and count_ones(places) > 1 and count_ones(left) == 1:
            put_placed(out, HOUSE_CELLS[house, trailing_zeros(left)], digit)
            return chosen | 1 << digit
    return chosen


@kernel
def scan_hidden_subset(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """limits[SIZE] digits of a house with that many places: everything else leaves those cells.

    The direct keys instead place a digit that has one place left in the house once the cells are taken.
    """
    size = limits[SIZE]
    direct = limits[KEY] == DIRECT_HIDDEN_PAIR or limits[KEY] == DIRECT_HIDDEN_TRIPLE
    for order in range(27):
        house = house_of_order(order)
        if limits[BARREN] >> house & 1:
            continue
        eligible = 0
        fitting = 0
        for digit in range(9):
            places = position[PLACES + 27 * digit + house]
            if places & (places - 1) and count_ones(places) <= size:
                eligible |= digit << 4 * fitting
                fitting += 1
        if fitting < size:
            continue
        for choice in range(FROM[size], FROM[size + 1]):
            if CHOICES[choice] >> fitting:
                break
            chosen = unpacked(int(CHOICES[choice]), eligible)
            union = 0
            rest = chosen
            while rest:
                union |= position[PLACES + 27 * trailing_zeros(rest) + house]
                rest &= rest - 1
            if count_ones(union) != size:
                continue
            begin(out, limits[KEY], 0, chosen, size)
            named = chosen
            if direct:
                named = _put_follow_up(position, out, house, chosen, union)
            else:
                for index in range(9):
                    if union >> index & 1:
                        put_removed_mask(out, position, HOUSE_CELLS[house, index], ALL_DIGITS & ~chosen)
            _put_chosen(position, out, house, union, chosen)
            put_house(out, BASE, named, house)
            if commit(out, mode):
                return


@kernel
def scan_locked_subset(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find naked pairs or triples whose cells share a box and a line, and remove their digits from both."""
    size = limits[SIZE]
    for line in range(18):
        if limits[BARREN] >> line & 1:
            continue
        eligible, fitting = _small_cells(position, line, size)
        if fitting < size:
            continue
        for choice in range(FROM[size], FROM[size + 1]):
            if CHOICES[choice] >> fitting:
                break
            chosen = unpacked(int(CHOICES[choice]), eligible)
            box = CELL_HOUSES[HOUSE_CELLS[line, trailing_zeros(chosen)], 2]
            if chosen & ~SHARED[line, box]:
                continue
            union = digits_in(position, line, chosen)
            if count_ones(union) != size:
                continue
            begin(out, limits[KEY], 0, union, size)
            _put_naked(position, out, line, chosen, union)
            for index in range(9):
                cell = HOUSE_CELLS[box, index]
                if CELL_HOUSES[cell, line // 9] != line:
                    put_removed_mask(out, position, cell, union)
            _put_chosen(position, out, line, chosen, union)
            put_house(out, SHOWN, union, line)
            put_house(out, SHOWN, union, box)
            if commit(out, mode):
                return


# No bound: up to four cells or digits of one house.
_subset = partial(Technique, family=Family.SUBSETS, tier=3, bound=SHORT, scope=Scope.HOUSE)
_naked = partial(_subset, scan=scan_naked_subset)
_hidden = partial(_subset, scan=scan_hidden_subset)
_locked = partial(_subset, scan=scan_locked_subset)
_direct = partial(_hidden, family=Family.DIRECT, told_by="direct_hidden_set")

ENTRIES: Final = (
    _naked("naked_pair", N_("Naked Pair"), limits={"size": 2}),
    _naked("naked_triple", N_("Naked Triple"), limits={"size": 3}),
    _naked("naked_quad", N_("Naked Quad"), limits={"size": 4}),
    _hidden("hidden_pair", N_("Hidden Pair"), limits={"size": 2}),
    _hidden("hidden_triple", N_("Hidden Triple"), limits={"size": 3}),
    _hidden("hidden_quad", N_("Hidden Quad"), limits={"size": 4}),
    _direct("direct_hidden_pair", N_("Direct Hidden Pair"), limits={"size": 2}),
    _direct("direct_hidden_triple", N_("Direct Hidden Triple"), limits={"size": 3}),
    _locked("locked_pair", N_("Locked Pair"), limits={"size": 2}),
    _locked("locked_triple", N_("Locked Triple"), limits={"size": 3}),
)
