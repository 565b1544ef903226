"""Patterns of one digit over two strong links: skyscraper, two-string kite, turbot fish, empty rectangle."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bits import count_ones, trailing_zeros
from engine.kernels.state import CELLS, PLACES, State
from engine.kernels.steps import Steps, begin, commit, put_cell, put_house, put_removed
from engine.kernels.tables import CELL_HOUSES, HOUSE_CELLS, PEER_WORDS, SEES
from engine.techniques.entry import BASE, FIN, N_, PATTERN, PINCER, SHORT, Family, Technique, Trait
from engine.techniques.keys import NUMBER
from engine.techniques.limits import KEY, KINDS, Limits

Row = NDArray[np.int32]

# limits[KINDS] of the empty rectangle.
TWO_CELLS: Final = 1  # the box may have no more than two places

SKYSCRAPER: Final = NUMBER["skyscraper"]
TWO_STRING_KITE: Final = NUMBER["two_string_kite"]
DUAL_EMPTY_RECTANGLE: Final = NUMBER["dual_empty_rectangle"]


@kernel
def _put_seen(position: State, digit: int, one: int, two: int, out: Steps) -> None:
    """Remove the digit from every cell that sees both."""
    for band in range(3):
        victims = PEER_WORDS[one, band] & PEER_WORDS[two, band] & position[CELLS + 3 * digit + band]
        while victims:
            put_removed(out, position, 27 * band + trailing_zeros(victims), digit)
            victims &= victims - 1


@kernel
def _joined(key: int, house: int, other: int, one: int, two: int) -> bool:
    """Whether the technique lets conjugate pairs of the two houses meet in these cells."""
    if key == SKYSCRAPER:
        crossing = 1 - house // 9
        return bool(house // 9 == other // 9 and CELL_HOUSES[one, crossing] == CELL_HOUSES[two, crossing])
    if key == TWO_STRING_KITE:
        return bool(house < 9 <= other and CELL_HOUSES[one, 2] == CELL_HOUSES[two, 2])
    return bool(SEES[one, two])


@kernel
def _pairs(position: State, digit: int, houses: int, pairs: Row) -> int:
    """The conjugate pairs of `digit` in the first `houses` houses: house, cell, cell; how many."""
    count = 0
    for house in range(houses):
        places = int(position[PLACES + 27 * digit + house])
        if count_ones(places) == 2:
            pairs[3 * count] = house
            pairs[3 * count + 1] = HOUSE_CELLS[house, trailing_zeros(places)]
            pairs[3 * count + 2] = HOUSE_CELLS[house, trailing_zeros(places & (places - 1))]
            count += 1
    return count


@kernel
def scan_two_pairs(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Two conjugate pairs with an end each in sight of the other: one of the free ends holds the digit."""
    key = int(limits[KEY])
    pairs = np.empty(81, dtype=np.int32)
    for digit in range(9):
        count = _pairs(position, digit, 18 if key in (SKYSCRAPER, TWO_STRING_KITE) else 27, pairs)
        for one in range(count):
            for two in range(one + 1, count):
                house, other = int(pairs[3 * one]), int(pairs[3 * two])
                for turn in range(4):
                    near, free = int(pairs[3 * one + 1 + turn // 2]), int(pairs[3 * one + 2 - turn // 2])
                    far, end = int(pairs[3 * two + 1 + turn % 2]), int(pairs[3 * two + 2 - turn % 2])
                    if near in (far, end) or free in (far, end):
                        continue
                    if not _joined(key, house, other, near, far):
                        continue
                    begin(out, key, 0, 1 << digit, 4)
                    _put_seen(position, digit, free, end, out)
                    put_cell(out, PINCER, 1 << digit, free)
                    put_cell(out, PATTERN, 1 << digit, near)
                    put_cell(out, PATTERN, 1 << digit, far)
                    put_cell(out, PINCER, 1 << digit, end)
                    put_house(out, BASE, 1 << digit, house)
                    put_house(out, BASE, 1 << digit, other)
                    if commit(out, mode):
                        return


@kernel
def _kites(position: State, digit: int, pairs: Row, kites: Row, count: int) -> int:
    """Append the two-string kites of `digit` that remove something to `kites`; how many stand there then.

    Seven words each: digit, row, column, and the cells of the chain from free end to free end.
    """
    lines = _pairs(position, digit, 18, pairs)
    for one in range(lines):
        for two in range(one + 1, lines):
            row, column = int(pairs[3 * one]), int(pairs[3 * two])
            if row >= 9 or column < 9:
                continue
            for turn in range(4):
                near, free = pairs[3 * one + 1 + turn // 2], pairs[3 * one + 2 - turn // 2]
                far, end = pairs[3 * two + 1 + turn % 2], pairs[3 * two + 2 - turn % 2]
                if CELL_HOUSES[near, 2] != CELL_HOUSES[far, 2] or near in (far, end) or free in (far, end):
                    continue
                seen = 0
                for band in range(3):
                    cells = position[CELLS + 3 * digit + band]
                    seen |= cells & PEER_WORDS[free, band] & PEER_WORDS[end, band]
                if seen:
                    at = 7 * count
                    kites[at], kites[at + 1], kites[at + 2] = digit, row, column
                    kites[at + 3], kites[at + 4] = free, near
                    kites[at + 5], kites[at + 6] = far, end
                    count += 1
    return count


@kernel
def scan_dual_two_string_kite(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Two kites, of one digit or of two, that meet in the same two cells of a box."""
    pairs = np.empty(81, dtype=np.int32)
    kites = np.empty(9 * 81 * 4 * 7, dtype=np.int32)
    count = 0
    for digit in range(9):
        count = _kites(position, digit, pairs, kites, count)
    for one in range(count):
        for two in range(one + 1, count):
            near, far = kites[7 * one + 4], kites[7 * one + 5]
            other, last = kites[7 * two + 4], kites[7 * two + 5]
            if not ((near == other and far == last) or (near == last and far == other)):
                continue
            begin(out, limits[KEY], 0, 1 << kites[7 * one] | 1 << kites[7 * two], 8)
            for turn in range(2):
                at = 7 * (one if turn == 0 else two)
                _put_seen(position, kites[at], kites[at + 3], kites[at + 6], out)
            for turn in range(2):
                at = 7 * (one if turn == 0 else two)
                for index in range(4):
                    put_cell(out, PATTERN if 0 < index < 3 else PINCER, 1 << kites[at], kites[at + 3 + index])
            for turn in range(2):
                at = 7 * (one if turn == 0 else two)
                put_house(out, BASE, 1 << kites[at], kites[at + 1])
                put_house(out, BASE, 1 << kites[at], kites[at + 2])
            if commit(out, mode):
                return


@kernel
def _arms(places: int, heart: int, kinds: int) -> bool:
    """Whether the places of a box lie in the row and the column through `heart`, some on each arm alone."""
    row = 0b111 << heart // 3 * 3
    column = 0b1001001 << heart % 3
    if places & ~(row | column) or (count_ones(places) == 2 and not kinds & TWO_CELLS):
        return False
    return places & row & ~(1 << heart) != 0 and places & column & ~(1 << heart) != 0


@kernel
def scan_empty_rectangle(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """A box whose places lie in one row and one column, and a conjugate pair that hits one of the two.

    The dual form has two such pairs to one box.
    """
    kinds = int(limits[KINDS])
    found = np.empty(3 * 64, dtype=np.int32)  # pair's house, its near end, the cell cleared
    for digit in range(9):
        for box in range(18, 27):
            places = int(position[PLACES + 27 * digit + box])
            if count_ones(places) < 2 or count_ones(places) > 5:
                continue
            for heart in range(9):
                if not _arms(places, heart, kinds):
                    continue
                count = 0
                row, column = CELL_HOUSES[HOUSE_CELLS[box, heart], 0], CELL_HOUSES[HOUSE_CELLS[box, heart], 1]
                for line in range(18):
                    # A pair in a column that starts in the heart's row ends in a row; that row and the
                    # heart's column cross in the cell cleared. The same with rows and columns exchanged.
                    pair = int(position[PLACES + 27 * digit + line])
                    if count_ones(pair) != 2:
                        continue
                    hit = int(row if line >= 9 else column)
                    for turn in range(2):
                        near = trailing_zeros(pair) if turn == 0 else trailing_zeros(pair & (pair - 1))
                        far = trailing_zeros(pair & ~(1 << near))
                        near, far = int(HOUSE_CELLS[line, near]), int(HOUSE_CELLS[line, far])
                        if CELL_HOUSES[near, hit // 9] != hit or CELL_HOUSES[near, 2] == box:
                            continue
                        if CELL_HOUSES[far, 2] == box:
                            continue
                        place = CELL_HOUSES[far, 0] if line >= 9 else CELL_HOUSES[far, 1]
                        victim = int(9 * place + column - 9 if line >= 9 else 9 * row + place - 9)
                        if victim == far or CELL_HOUSES[victim, 2] == box:
                            continue
                        if not position[CELLS + 3 * digit + victim // 27] >> (victim % 27) & 1:
                            continue
                        found[3 * count] = line
                        found[3 * count + 1] = near
                        found[3 * count + 2] = victim
                        count += 1
                dual = limits[KEY] == DUAL_EMPTY_RECTANGLE
                for one in range(count):
                    for two in range(one + 1 if dual else 0, count if dual else 1):
                        if dual and found[3 * one + 2] == found[3 * two + 2]:
                            continue
                        begin(out, limits[KEY], 0, 1 << digit, 8 if dual else 4)
                        put_removed(out, position, found[3 * one + 2], digit)
                        if dual:
                            put_removed(out, position, found[3 * two + 2], digit)
                        for turn in range(2 if dual else 1):
                            at = 3 * (one if turn == 0 else two)
                            pair = int(position[PLACES + 27 * digit + found[at]])
                            while pair:
                                put_cell(
                                    out, PATTERN, 1 << digit, HOUSE_CELLS[found[at], trailing_zeros(pair)]
                                )
                                pair &= pair - 1
                        rest = places
                        while rest:
                            put_cell(out, FIN, 1 << digit, HOUSE_CELLS[box, trailing_zeros(rest)])
                            rest &= rest - 1
                        put_house(out, BASE, 1 << digit, box)
                        put_house(out, BASE, 1 << digit, found[3 * one])
                        if dual:
                            put_house(out, BASE, 1 << digit, found[3 * two])
                        if commit(out, mode):
                            return


# No bound: two links of one digit.
_pattern = partial(Technique, family=Family.SINGLE_DIGIT, tier=4, bound=SHORT)
_two_pairs = partial(_pattern, scan=scan_two_pairs, traits=Trait.MIDDLE | Trait.STRONG_LINKS)
_rectangle = partial(_pattern, scan=scan_empty_rectangle, traits=Trait.STRONG_LINKS, limits={"kinds": 1})

ENTRIES: Final = (
    _two_pairs("skyscraper", N_("Skyscraper")),
    _two_pairs("two_string_kite", N_("2-String Kite")),
    _two_pairs("turbot_fish", N_("Turbot Fish")),
    _rectangle("empty_rectangle", N_("Empty rectangle"), paths={"hodoku": {"kinds": 0}}),
    _two_pairs("dual_two_string_kite", N_("Dual 2-String Kite"), scan=scan_dual_two_string_kite),
    _rectangle("dual_empty_rectangle", N_("Dual empty rectangle")),
)
