"""Coloring of one digit: nets of conjugate pairs in two colors, one of which is true in each net."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CELLS, PLACES, State
from ..kernels.steps import Steps, begin, commit, put_cells, put_house, put_removed_cells
from ..kernels.tables import CELL_HOUSES, HOUSE_CELLS, PEER_WORDS
from .entry import BASE, COLOUR_A, COLOUR_C, N_, SHORT, Family, Scope, Technique, Trait
from .keys import NUMBER
from .limits import BARREN, KEY, Limits

Row = NDArray[np.int32]

TRAP: Final = NUMBER["simple_colouring_trap"]
TYPE_1: Final = NUMBER["multi_colouring_1"]

MOST_NETS: Final = 40  # a net has at least two cells

# A net has four sets of three words: the cells of its two colors, then what sees a cell of each.
_NET: Final = 12
_SEEN: Final = 6
_VICTIMS: Final = MOST_NETS * _NET  # after the nets, one more set
_WORDS: Final = _VICTIMS + 3


@kernel
def _colour(position: State, digit: int, nets: Row, waiting: Row) -> int:
    """Write the nets of `digit` to `nets`; returns how many. A net whose colors clash at a cell is left
    out.
    """
    count = 0
    first, second, third = 0, 0, 0  # colored cells
    for start in range(81):
        done = (first, second, third)[start // 27] >> (start % 27) & 1
        if done or not position[CELLS + 3 * digit + start // 27] >> (start % 27) & 1:
            continue
        base = count * _NET
        for word in range(_NET):
            nets[base + word] = 0
        nets[base + start // 27] |= 1 << (start % 27)
        waiting[0] = 2 * start
        length = 1
        index = 0
        while index < length:
            cell = waiting[index] >> 1
            colour = waiting[index] & 1
            index += 1
            for kind in range(3):
                places = int(position[PLACES + 27 * digit + CELL_HOUSES[cell, kind]])
                if count_ones(places) != 2:
                    continue
                other = HOUSE_CELLS[CELL_HOUSES[cell, kind], trailing_zeros(places)]
                if other == cell:
                    other = HOUSE_CELLS[CELL_HOUSES[cell, kind], trailing_zeros(places & (places - 1))]
                word = base + 3 * (1 - colour) + other // 27
                if not nets[word] >> (other % 27) & 1:
                    nets[word] |= 1 << (other % 27)
                    waiting[length] = 2 * other + 1 - colour
                    length += 1
        clash = (nets[base] & nets[base + 3]) | (nets[base + 1] & nets[base + 4])
        clash |= nets[base + 2] & nets[base + 5]
        first |= nets[base] | nets[base + 3]
        second |= nets[base + 1] | nets[base + 4]
        third |= nets[base + 2] | nets[base + 5]
        if length == 1 or clash:
            continue
        for index in range(length):
            for band in range(3):
                peers = PEER_WORDS[waiting[index] >> 1, band]
                nets[base + _SEEN + 3 * (waiting[index] & 1) + band] |= peers
        count += 1
    return count


@kernel
def _meet(nets: Row, one: int, two: int) -> bool:
    """Whether the sets at the words `one` and `two` share a cell."""
    common = (nets[one] & nets[two]) | (nets[one + 1] & nets[two + 1]) | (nets[one + 2] & nets[two + 2])
    return bool(common)


@kernel
def _put_all(position: State, digit: int, nets: Row, cells: int, out: Steps) -> None:
    """Remove the digit from the set of cells at the word `cells`."""
    for band in range(3):
        put_removed_cells(out, position, digit, band, nets[cells + band])


@kernel
def _put_cells(digit: int, nets: Row, net: int, role: int, out: Steps) -> None:
    """Write the cells of a net by color: in the role `role` and the one after it."""
    for colour in range(2):
        for band in range(3):
            put_cells(out, role + colour, 1 << digit, band, nets[net + 3 * colour + band])


@kernel
def _put_pairs(position: State, digit: int, nets: Row, net: int, out: Steps) -> None:
    """Write the houses of the conjugate pairs of a net."""
    for house in range(27):
        places = int(position[PLACES + 27 * digit + house])
        if count_ones(places) == 2:
            cell = HOUSE_CELLS[house, trailing_zeros(places)]
            if (nets[net + cell // 27] | nets[net + 3 + cell // 27]) >> (cell % 27) & 1:
                put_house(out, BASE, 1 << digit, house)


@kernel
def _add_seen(position: State, digit: int, nets: Row, one: int, two: int, victims: int) -> None:
    """Add the cells of `digit` in both sets to the set at the word `victims` of `nets`."""
    for band in range(3):
        both = nets[one + band] & nets[two + band] & position[CELLS + 3 * digit + band]
        nets[victims + band] |= both


@kernel
def scan_simple_colouring(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find a net where a cell sees both colors and loses the digit, or a color sees itself and is false."""
    nets = np.empty(_WORDS, dtype=np.int32)
    waiting = np.empty(162, dtype=np.int32)
    trap = limits[KEY] == TRAP
    for digit in range(9):
        if limits[BARREN] >> digit & 1:
            continue
        count = _colour(position, digit, nets, waiting)
        for number in range(count):
            net = number * _NET
            for colour in range(1 if trap else 2):
                if not trap and not _meet(nets, net + 3 * colour, net + _SEEN + 3 * colour):
                    continue
                for band in range(3):
                    nets[_VICTIMS + band] = 0 if trap else nets[net + 3 * colour + band]
                if trap:
                    _add_seen(position, digit, nets, net + _SEEN, net + _SEEN + 3, _VICTIMS)
                    for band in range(3):
                        nets[_VICTIMS + band] &= ~(nets[net + band] | nets[net + 3 + band])
                begin(out, limits[KEY], 0, 1 << digit, 2)
                _put_all(position, digit, nets, _VICTIMS, out)
                _put_cells(digit, nets, net, COLOUR_A, out)
                _put_pairs(position, digit, nets, net, out)
                if commit(out, mode):
                    return


@kernel
def scan_multi_colouring(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find two nets. If colors see each other, one of the two other colors is true (type 1).

    A color that sees both colors of the other net is false (type 2). A step has all eliminations of two nets.
    """
    nets = np.empty(_WORDS, dtype=np.int32)
    waiting = np.empty(162, dtype=np.int32)
    first = limits[KEY] == TYPE_1
    for digit in range(9):
        if limits[BARREN] >> digit & 1:
            continue
        count = _colour(position, digit, nets, waiting)
        for number in range(count * count):
            one, two = number // count * _NET, number % count * _NET
            if one == two or (first and one > two):
                continue
            for band in range(3):
                nets[_VICTIMS + band] = 0
            for colour in range(4):
                mine, other = 3 * (colour // 2), 3 * (colour % 2)
                if not _meet(nets, one + mine, two + _SEEN + other):
                    continue
                if first:
                    mine, other = one + _SEEN + 3 - mine, two + _SEEN + 3 - other
                    _add_seen(position, digit, nets, mine, other, _VICTIMS)
                elif other == 0 and _meet(nets, one + mine, two + _SEEN + 3):
                    _add_seen(position, digit, nets, one + mine, one + mine, _VICTIMS)
            begin(out, limits[KEY], 0, 1 << digit, 4)
            _put_all(position, digit, nets, _VICTIMS, out)
            _put_cells(digit, nets, one, COLOUR_A, out)
            _put_cells(digit, nets, two, COLOUR_C, out)
            _put_pairs(position, digit, nets, one, out)
            _put_pairs(position, digit, nets, two, out)
            if commit(out, mode):
                return


# No limit: the colors of one digit.
_coloring = partial(
    Technique, family=Family.COLORING, bound=SHORT, scope=Scope.DIGIT, traits=Trait.STRONG_LINKS
)
_simple = partial(_coloring, scan=scan_simple_colouring, tier=4)
_multi = partial(_coloring, scan=scan_multi_colouring, tier=5, rare=True)

ENTRIES: Final = (
    _simple("simple_colouring_trap", N_("Simple Coloring: Color Trap")),
    _simple("simple_colouring_wrap", N_("Simple Coloring: Color Wrap"), rare=True),
    _multi("multi_colouring_1", N_("Multi-Coloring Type 1")),
    _multi("multi_colouring_2", N_("Multi-Coloring Type 2")),
)
