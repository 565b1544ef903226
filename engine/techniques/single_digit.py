"""Patterns of one digit with two strong links: skyscraper, two-string kite, turbot fish, empty rectangle.

The conjugate pairs are listed here, not taken from the implication graph: two links are combined directly,
without a search, and no other digit matters. Unmeasured: how much more it costs to build the graph of all
digits first. To find out, time both on the same positions.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CELLS, PLACES, State
from ..kernels.steps import Steps, begin, commit, put_cell, put_house, put_removed, put_removed_cells
from ..kernels.tables import CELL_HOUSES, HOUSE_CELLS, PEER_WORDS, SEES
from .entry import BASE, FIN, N_, PATTERN, PINCER, SHORT, Family, Scope, Technique, Trait
from .keys import NUMBER
from .limits import BARREN, KEY, KINDS, Limits
from .subsets import put_chosen

Row = NDArray[np.int32]

# limits[KINDS] of the empty rectangle.
TWO_CELLS: Final = 1  # the box may have at most two places

MOST_CHAINS: Final = 27 * 26 // 2 * 4  # of one digit: two houses, joined at either end of both

SKYSCRAPER: Final = NUMBER["skyscraper"]
TWO_STRING_KITE: Final = NUMBER["two_string_kite"]
DUAL_EMPTY_RECTANGLE: Final = NUMBER["dual_empty_rectangle"]


@kernel
def _put_seen(position: State, digit: int, one: int, two: int, out: Steps) -> None:
    """Remove the digit from every cell that sees both."""
    for band in range(3):
        put_removed_cells(out, position, digit, band, PEER_WORDS[one, band] & PEER_WORDS[two, band])


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
    """List the conjugate pairs of `digit` in the first `houses` houses: house, cell, cell; returns how
    many.
    """
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
def _add_chains(position: State, digit: int, key: int, pairs: Row, chains: Row, count: int) -> int:
    """Append the chains of two conjugate pairs of `digit` that remove something; returns the new count.

    pairs: scratch. Each chain in `chains` has seven words: digit, the two houses, and the cells from free end
    to free end.
    """
    number = _pairs(position, digit, 18 if key in (SKYSCRAPER, TWO_STRING_KITE) else 27, pairs)
    for one in range(number):
        for two in range(one + 1, number):
            house, other = int(pairs[3 * one]), int(pairs[3 * two])
            for turn in range(4):
                near, free = int(pairs[3 * one + 1 + turn // 2]), int(pairs[3 * one + 2 - turn // 2])
                far, end = int(pairs[3 * two + 1 + turn % 2]), int(pairs[3 * two + 2 - turn % 2])
                if near in (far, end) or free in (far, end) or not _joined(key, house, other, near, far):
                    continue
                seen = 0
                for band in range(3):
                    cells = position[CELLS + 3 * digit + band]
                    seen |= cells & PEER_WORDS[free, band] & PEER_WORDS[end, band]
                if seen:
                    at = 7 * count
                    chains[at], chains[at + 1], chains[at + 2] = digit, house, other
                    chains[at + 3], chains[at + 4] = free, near
                    chains[at + 5], chains[at + 6] = far, end
                    count += 1
    return count


@kernel
def _put_chains(position: State, key: int, chains: Row, one: int, two: int, mode: int, out: Steps) -> bool:
    """Write one chain, or two with different numbers, as a step; returns commit's result."""
    several = one != two
    begin(out, key, 0, 1 << chains[7 * one] | 1 << chains[7 * two], 8 if several else 4)
    for turn in range(2 if several else 1):
        at = 7 * (one if turn == 0 else two)
        _put_seen(position, chains[at], chains[at + 3], chains[at + 6], out)
    for turn in range(2 if several else 1):
        at = 7 * (one if turn == 0 else two)
        for index in range(4):
            role = PATTERN if 0 < index < 3 else PINCER
            put_cell(out, role, 1 << chains[at], chains[at + 3 + index])
    for turn in range(2 if several else 1):
        at = 7 * (one if turn == 0 else two)
        put_house(out, BASE, 1 << chains[at], chains[at + 1])
        put_house(out, BASE, 1 << chains[at], chains[at + 2])
    return commit(out, mode)


@kernel
def scan_two_pairs(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find two conjugate pairs with one end of each in sight of the other's: one of the free ends holds
    the digit.
    """
    pairs = np.empty(81, dtype=np.int32)
    chains = np.empty(MOST_CHAINS * 7, dtype=np.int32)
    for digit in range(9):
        if limits[BARREN] >> digit & 1:
            continue
        for number in range(_add_chains(position, digit, limits[KEY], pairs, chains, 0)):
            if _put_chains(position, limits[KEY], chains, number, number, mode, out):
                return


@kernel
def scan_dual_two_string_kite(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find two kites, of one digit or of two, that meet in the same two cells of a box."""
    pairs = np.empty(81, dtype=np.int32)
    chains = np.empty(9 * MOST_CHAINS * 7, dtype=np.int32)
    count = 0
    for digit in range(9):
        count = _add_chains(position, digit, TWO_STRING_KITE, pairs, chains, count)
    for one in range(count):
        for two in range(one + 1, count):
            near, far = chains[7 * one + 4], chains[7 * one + 5]
            other, last = chains[7 * two + 4], chains[7 * two + 5]
            if ((near == other and far == last) or (near == last and far == other)) and _put_chains(
                position, limits[KEY], chains, one, two, mode, out
            ):
                return


@kernel
def _arms(places: int, heart: int, kinds: int) -> bool:
    """Whether the places of a box are in the row and the column through `heart`, some on each arm alone."""
    row = 0b111 << heart // 3 * 3
    column = 0b1001001 << heart % 3
    if places & ~(row | column) or (count_ones(places) == 2 and not kinds & TWO_CELLS):
        return False
    return places & row & ~(1 << heart) != 0 and places & column & ~(1 << heart) != 0


@kernel
def _add_rectangles(position: State, digit: int, box: int, heart: int, found: Row, count: int) -> int:
    """Append the conjugate pairs that hit an arm of the box's cross through `heart`; returns the new count.

    Each in `found` has two words: the pair's house and the cell that is cleared.
    """
    row, column = CELL_HOUSES[HOUSE_CELLS[box, heart], 0], CELL_HOUSES[HOUSE_CELLS[box, heart], 1]
    for line in range(18):
        # A pair in a column that starts in the heart's row ends in a row; that row and the heart's column
        # cross in the cleared cell. The same applies with rows and columns exchanged.
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
            found[2 * count] = line
            found[2 * count + 1] = victim
            count += 1
    return count


@kernel
def _put_rectangles(
    position: State, key: int, digit: int, box: int, found: Row, one: int, two: int, out: Steps
) -> None:
    """Write one empty rectangle, or two with different numbers, as a step, without commit."""
    several = one != two
    begin(out, key, 0, 1 << digit, 8 if several else 4)
    for turn in range(2 if several else 1):
        put_removed(out, position, found[2 * (two if turn else one) + 1], digit)
    for turn in range(2 if several else 1):
        line = found[2 * (two if turn else one)]
        put_chosen(position, out, PATTERN, line, position[PLACES + 27 * digit + line], 1 << digit)
    put_chosen(position, out, FIN, box, position[PLACES + 27 * digit + box], 1 << digit)
    put_house(out, BASE, 1 << digit, box)
    for turn in range(2 if several else 1):
        put_house(out, BASE, 1 << digit, found[2 * (two if turn else one)])


@kernel
def scan_empty_rectangle(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find a box whose places are in one row and one column, and a conjugate pair that hits one of the two.

    The dual form has two such pairs to one box; two places in a box make two crosses.
    """
    kinds = int(limits[KINDS])
    dual = limits[KEY] == DUAL_EMPTY_RECTANGLE
    found = np.empty(2 * 9 * 36, dtype=np.int32)
    for digit in range(9):
        if limits[BARREN] >> digit & 1:
            continue
        for box in range(18, 27):
            places = int(position[PLACES + 27 * digit + box])
            if count_ones(places) < 2 or count_ones(places) > 5:
                continue
            count = 0
            for heart in range(9):
                if _arms(places, heart, kinds):
                    count = _add_rectangles(position, digit, box, heart, found, count)
            for one in range(count):
                for two in range(one + 1 if dual else one, count if dual else one + 1):
                    if dual and found[2 * one + 1] == found[2 * two + 1]:
                        continue
                    _put_rectangles(position, limits[KEY], digit, box, found, one, two, out)
                    if commit(out, mode):
                        return


# No limit: two links of one digit.
_pattern = partial(Technique, family=Family.SINGLE_DIGIT, tier=4, bound=SHORT)
_two_pairs = partial(
    _pattern, scan=scan_two_pairs, scope=Scope.DIGIT, traits=Trait.MIDDLE | Trait.STRONG_LINKS
)
_rectangle = partial(
    _pattern,
    scan=scan_empty_rectangle,
    scope=Scope.DIGIT,
    traits=Trait.STRONG_LINKS,
    limits={"kinds": TWO_CELLS},
)

ENTRIES: Final = (
    _two_pairs("skyscraper", N_("Skyscraper")),
    _two_pairs("two_string_kite", N_("Two-String Kite")),
    _two_pairs("turbot_fish", N_("Turbot Fish")),
    _rectangle("empty_rectangle", N_("Empty Rectangle"), paths={"hodoku": {"kinds": 0}}),
    _two_pairs(
        "dual_two_string_kite",
        N_("Dual Two-String Kite"),
        scan=scan_dual_two_string_kite,
        scope=Scope.POSITION,
        rare=True,
    ),
    _rectangle("dual_empty_rectangle", N_("Dual Empty Rectangle"), rare=True),
)
