"""Subsets: n cells of a house with only n digits, or n digits with only n places. Sizes 2 to 4."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CANDIDATES, EMPTY, PLACES, State
from ..kernels.steps import (
    Steps,
    begin,
    commit,
    discard,
    put_cell,
    put_house,
    put_placed,
    put_removed_mask,
)
from ..kernels.tables import ALL_DIGITS, CELL_HOUSES, HOUSE_CELLS, PLACE_IN, SHARED
from .entry import BASE, N_, PATTERN, SHORT, SHOWN, Family, Scope, Technique
from .keys import NUMBER
from .limits import BARREN, KEY, KINDS, SIZE, Limits
from .singles import house_of_order

LOCKED_PAIR: Final = NUMBER["locked_pair"]
LOCKED_TRIPLE: Final = NUMBER["locked_triple"]
DIRECT_HIDDEN_PAIR: Final = NUMBER["direct_hidden_pair"]
DIRECT_HIDDEN_TRIPLE: Final = NUMBER["direct_hidden_triple"]

# All nine-bit masks of each size, ascending; CHOICES[FROM[n]:FROM[n + 1]] have n bits.
_BY_SIZE: Final = sorted(range(512), key=lambda mask: (mask.bit_count(), mask))
CHOICES: Final[NDArray[np.int32]] = np.array(_BY_SIZE, dtype=np.int32)
FROM: Final[NDArray[np.int32]] = np.array(
    [sum(1 for mask in _BY_SIZE if mask.bit_count() < size) for size in range(11)], dtype=np.int32
)
# The same in the order of their lowest bits, that of nested loops.
LEXICAL: Final[NDArray[np.int32]] = np.array(
    sorted(_BY_SIZE, key=lambda mask: (mask.bit_count(), [bit for bit in range(9) if mask >> bit & 1])),
    dtype=np.int32,
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
    """Return the nine bits of a mask of places in a row of indices, four bits an index.

    The choices of n indices come first among those of a size, so with the fitting indices in a row the others
    needn't be skipped.
    """
    chosen = 0
    while packed:
        chosen |= 1 << (indices >> 4 * trailing_zeros(packed) & 15)
        packed &= packed - 1
    return chosen


@kernel
def remove_chosen(position: State, out: Steps, house: int, chosen: int, digits: int) -> None:
    """Remove `digits` from the cells of `house` in the mask `chosen`."""
    for index in range(9):
        if chosen >> index & 1:
            put_removed_mask(out, position, HOUSE_CELLS[house, index], digits)


@kernel
def put_chosen(position: State, out: Steps, role: int, house: int, chosen: int, digits: int) -> None:
    """Write the cells of `house` in the mask `chosen`, with their digits among `digits`."""
    for index in range(9):
        if chosen >> index & 1:
            cell = HOUSE_CELLS[house, index]
            put_cell(out, role, position[CANDIDATES + cell] & digits, cell)


@kernel
def _small_cells(position: State, house: int, size: int) -> tuple[int, int]:
    """Return the places of the cells of two to `size` candidates in a row, four bits each, and their
    number.
    """
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
def _put_in_both(position: State, limits: Limits, mode: int, out: Steps, house: int, chosen: int) -> bool:
    """Write a naked subset with its eliminations in every house that contains it; returns whether the scan
    must stop.

    For HoDoKu a pair or triple is a locked one if the box loses a candidate and the line one outside it. A
    locked key takes only these, the others all but these.
    """
    union = digits_in(position, house, chosen)
    first = HOUSE_CELLS[house, trailing_zeros(chosen)]
    begin(out, limits[KEY], 0, union, limits[SIZE])
    line = -1
    from_line = False
    from_box = False
    for kind in range(3):
        other = CELL_HOUSES[first, kind]
        if chosen & ~SHARED[house, other]:
            continue
        line = other if kind < 2 else line
        for index in range(9):
            cell = HOUSE_CELLS[other, index]
            inside = CELL_HOUSES[cell, house // 9] == house and chosen >> PLACE_IN[cell, house // 9] & 1
            if inside or position[CANDIDATES + cell] & union == 0:
                continue
            if kind == 2:
                from_box = True
            elif CELL_HOUSES[cell, 2] != CELL_HOUSES[first, 2]:
                from_line = True
            if kind < 2 or line < 0 or CELL_HOUSES[cell, line // 9] != line:
                put_removed_mask(out, position, cell, union)
    locked = limits[SIZE] < 4 and from_line and from_box
    if locked != (limits[KEY] == LOCKED_PAIR or limits[KEY] == LOCKED_TRIPLE):
        discard(out)
        return False
    put_chosen(position, out, PATTERN, house, chosen, union)
    put_house(out, SHOWN, union, house)
    return commit(out, mode)


@kernel
def scan_naked_subset(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find limits[SIZE] cells of a house with that many digits; the rest of the house loses those.

    limits[KINDS]: 1 for HoDoKu's order and effects.
    """
    size = limits[SIZE]
    as_hodoku = limits[KINDS]
    for order in range(27):
        house = (order + 18) % 27 if as_hodoku else house_of_order(order)
        if limits[BARREN] >> house & 1:
            continue
        eligible, fitting = _small_cells(position, house, size)
        if fitting < size:
            continue
        for choice in range(FROM[size], FROM[size + 1]):
            places = LEXICAL[choice] if as_hodoku else CHOICES[choice]
            if places >> fitting:
                if as_hodoku:
                    continue
                break
            chosen = unpacked(int(places), eligible)
            union = digits_in(position, house, chosen)
            if count_ones(union) != size:
                continue
            if as_hodoku:
                if _put_in_both(position, limits, mode, out, house, chosen):
                    return
                continue
            begin(out, limits[KEY], 0, union, size)
            remove_chosen(position, out, house, ~chosen, union)
            put_chosen(position, out, PATTERN, house, chosen, union)
            put_house(out, SHOWN, union, house)
            if commit(out, mode):
                return


@kernel
def _put_follow_up(position: State, out: Steps, house: int, chosen: int, union: int) -> int:
    """Place the first digit with one place in `house` outside `union`; the step's digit is then that one."""
    for digit in range(9):
        places = position[PLACES + 27 * digit + house]
        left = places & ~union
        if not chosen >> digit & 1 and count_ones(places) > 1 and count_ones(left) == 1:
            put_placed(out, HOUSE_CELLS[house, trailing_zeros(left)], digit)
            return chosen | 1 << digit
    return chosen


@kernel
def scan_hidden_subset(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find limits[SIZE] digits of a house with that many places: those cells lose everything else.

    The direct keys instead place a digit that has one place left in the house once the cells are taken.
    limits[KINDS]: 1 for HoDoKu's order.
    """
    size = limits[SIZE]
    direct = limits[KEY] == DIRECT_HIDDEN_PAIR or limits[KEY] == DIRECT_HIDDEN_TRIPLE
    for order in range(27):
        house = (order + 18) % 27 if limits[KINDS] else house_of_order(order)
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
            digits = LEXICAL[choice] if limits[KINDS] else CHOICES[choice]
            if digits >> fitting:
                if limits[KINDS]:
                    continue
                break
            chosen = unpacked(int(digits), eligible)
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
                remove_chosen(position, out, house, union, ALL_DIGITS & ~chosen)
            put_chosen(position, out, PATTERN, house, union, chosen)
            put_house(out, BASE, named, house)
            if commit(out, mode):
                return


@kernel
def scan_locked_subset(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find naked pairs or triples whose cells share a box and a line, and remove their digits from both."""
    if limits[KINDS]:
        scan_naked_subset(position, limits, mode, out)
        return
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
            remove_chosen(position, out, line, ~chosen, union)
            remove_chosen(position, out, box, ~SHARED[box, line], union)
            put_chosen(position, out, PATTERN, line, chosen, union)
            put_house(out, SHOWN, union, line)
            put_house(out, SHOWN, union, box)
            if commit(out, mode):
                return


_AS_HODOKU: Final = {"hodoku": {"kinds": 1}}
# No limit: up to four cells or digits of one house.
_subset = partial(Technique, family=Family.SUBSETS, tier=3, bound=SHORT, scope=Scope.HOUSE)
_naked = partial(_subset, scan=scan_naked_subset, paths=_AS_HODOKU)
_hidden = partial(_subset, scan=scan_hidden_subset, paths=_AS_HODOKU)
_locked = partial(_subset, scan=scan_locked_subset, paths=_AS_HODOKU)
_direct = partial(_subset, scan=scan_hidden_subset, family=Family.DIRECT, template_name="direct_hidden_set")

ENTRIES: Final = (
    _naked("naked_pair", N_("Naked Pair"), limits={"size": 2}),
    _naked("naked_triple", N_("Naked Triple"), limits={"size": 3}),
    _naked("naked_quad", N_("Naked Quad"), limits={"size": 4}),
    _hidden("hidden_pair", N_("Hidden Pair"), limits={"size": 2}),
    _hidden("hidden_triple", N_("Hidden Triple"), limits={"size": 3}),
    _hidden("hidden_quad", N_("Hidden Quad"), limits={"size": 4}, rare=True),
    _direct("direct_hidden_pair", N_("Direct Hidden Pair"), limits={"size": 2}),
    _direct("direct_hidden_triple", N_("Direct Hidden Triple"), limits={"size": 3}, rare=True),
    _locked("locked_pair", N_("Locked Pair"), limits={"size": 2}),
    _locked("locked_triple", N_("Locked Triple"), limits={"size": 3}),
)
