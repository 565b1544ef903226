"""Rectangles of two digits in two rows, two columns and two boxes that must not be left swappable.

Hidden and avoidable rectangles, and what they share with unique rectangles. Those are in
unique_rectangles.py, with the longer loops, whose types 1 to 4 follow the same rules.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CANDIDATES, CELLS, DIGITS, GIVENS, PLACES, State
from ..kernels.steps import (
    Steps,
    begin,
    commit,
    put_cell,
    put_house,
    put_removed,
    put_removed_cells,
    put_removed_mask,
)
from ..kernels.tables import CELL_HOUSES, HOUSE_WORDS, PEER_WORDS
from .entry import BASE, CORNER, N_, SHORT, Family, Technique, Trait
from .limits import KEY, KINDS, MISSING, Limits

# Forms of hidden and of avoidable rectangles, as bits of limits[KINDS].
# A hidden one has a single corner of two candidates. In an avoidable one, open corners hold two candidates,
# and two solved corners share a box.
AS_HODOKU: Final = 1
# Hidden: any corners of two candidates and any links. Avoidable: any open corners, any two solved ones.
WIDER: Final = 2

# How a corner of a hidden rectangle is decided, where it isn't the number of a house.
_OPEN: Final = -2
_BY_PAIR: Final = -1  # it holds two candidates, and sees one of them


def _rectangles() -> list[tuple[int, int, int, int]]:
    """Corners in cyclic order; the first two share a box and a line."""
    upright = [
        (9 * top + left, 9 * bottom + left, 9 * bottom + right, 9 * top + right)
        for top in range(9)
        for bottom in range(top + 1, top // 3 * 3 + 3)
        for left in range(9)
        for right in range(9)
        if left // 3 != right // 3 and left < right
    ]
    turned = [tuple(cell % 9 * 9 + cell // 9 for cell in corners) for corners in upright]
    return upright + [(a, b, c, d) for a, b, c, d in turned]


RECTANGLES: Final[NDArray[np.int32]] = np.array(_rectangles(), dtype=np.int32)  # [486, 4]

# A set of rectangles is _WORDS words of _BITS bits.
_BITS: Final = 62
_WORDS: Final = -(-len(RECTANGLES) // _BITS)
_Set = NDArray[np.int64]


def _of_cell() -> _Set:
    """Return the rectangles that each cell is a corner of."""
    sets = np.zeros((81, _WORDS), dtype=np.int64)
    for number, corners in enumerate(RECTANGLES):
        sets[corners, number // _BITS] |= 1 << number % _BITS
    return sets


_OF_CELL: Final[_Set] = _of_cell()


@kernel
def _add_those_of(cell: int, rectangles: _Set) -> None:
    """Add the rectangles that `cell` is a corner of."""
    for word in range(_WORDS):
        rectangles[word] |= _OF_CELL[cell, word]


@kernel
def _numbers(rectangles: _Set, without: _Set) -> NDArray[np.int32]:
    """Return those of a set that aren't in another, ascending."""
    numbers = np.empty(len(RECTANGLES), dtype=np.int32)
    count = 0
    for word in range(_WORDS):
        rest = rectangles[word] & ~without[word]
        while rest:
            numbers[count] = _BITS * word + trailing_zeros(rest)
            rest &= rest - 1
            count += 1
    return numbers[:count]


@kernel
def open_rectangles(position: State) -> NDArray[np.int32]:
    """Return the rectangles without a solved corner that have a corner of two candidates, ascending."""
    found = np.zeros(_WORDS, dtype=np.int64)
    solved = np.zeros(_WORDS, dtype=np.int64)
    for cell in range(81):
        mask = position[CANDIDATES + cell]
        if mask == 0:
            _add_those_of(cell, solved)
        elif count_ones(mask) == 2:
            _add_those_of(cell, found)
    return _numbers(found, solved)


@kernel
def _half_solved(position: State) -> NDArray[np.int32]:
    """Return the rectangles without a given that have a solved corner, ascending."""
    found = np.zeros(_WORDS, dtype=np.int64)
    given = np.zeros(_WORDS, dtype=np.int64)
    for cell in range(81):
        if position[GIVENS + cell]:
            _add_those_of(cell, given)
        elif position[DIGITS + cell]:
            _add_those_of(cell, found)
    return _numbers(found, given)


@kernel
def allowed(position: State, cell: int, digit: int) -> bool:
    """Return whether no placed digit excludes `digit` (0..8) from the empty `cell`, candidate or not."""
    row = position[PLACES + 27 * digit + CELL_HOUSES[cell, 0]]
    column = position[PLACES + 27 * digit + CELL_HOUSES[cell, 1]]
    box = position[PLACES + 27 * digit + CELL_HOUSES[cell, 2]]
    return bool(row != 0 and column != 0 and box != 0)


@kernel
def fits(position: State, limits: Limits, rectangle: int, pair: int) -> bool:
    """Whether the corners can be left with the two digits of `pair`.

    Each has both, or, with limits[MISSING], the placed digits allow them in at least one arrangement.
    """
    low = trailing_zeros(pair)
    high = trailing_zeros(pair & (pair - 1))
    one = True
    other = True
    for index in range(4):
        cell = RECTANGLES[rectangle, index]
        if position[CANDIDATES + cell] & pair == pair:
            continue
        if not limits[MISSING]:
            return False
        low_allowed = allowed(position, cell, low)
        high_allowed = allowed(position, cell, high)
        one = one and (low_allowed if index % 2 == 0 else high_allowed)
        other = other and (high_allowed if index % 2 == 0 else low_allowed)
        if not one and not other:
            return False
    return True


@kernel
def confined(position: State, digit: int, house: int, rectangle: int) -> bool:
    """Return whether `digit` still needs a place in `house` and only has it in a corner."""
    if position[PLACES + 27 * digit + house] == 0:
        return False
    for band in range(3):
        here = HOUSE_WORDS[house, band] & position[CELLS + 3 * digit + band]
        for index in range(4):
            cell = RECTANGLES[rectangle, index]
            if cell // 27 == band:
                here &= ~(1 << (cell % 27))
        if here:
            return False
    return True


@kernel
def remove_extra(position: State, out: Steps, corners: NDArray[np.int32], count: int, extra: int) -> None:
    """Remove the digit `extra` from the cells that see all of the first `count` corners that have it."""
    for band in range(3):
        hit = (1 << 27) - 1
        for index in range(count):
            if position[CANDIDATES + corners[index]] >> extra & 1:
                hit &= PEER_WORDS[corners[index], band]
        put_removed_cells(out, position, extra, band, hit)


@kernel
def put_corners(position: State, out: Steps, corners: NDArray[np.int32], count: int) -> None:
    """Write the first `count` of the corners with their candidates, or the digit they hold."""
    for index in range(count):
        cell = corners[index]
        mask = position[CANDIDATES + cell]
        if mask == 0:
            mask = 1 << (position[DIGITS + cell] - 1)
        put_cell(out, CORNER, mask, cell)


@kernel
def scan_hidden_rectangle(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find a bivalue corner; opposite, a digit confined to its row and column there eliminates the other.

    With WIDER, also variant 1: the other corners may be decided in any way.
    """
    for rectangle in open_rectangles(position):
        for index in range(4):
            pair = position[CANDIDATES + RECTANGLES[rectangle, index]]
            if count_ones(pair) != 2:
                continue
            if limits[KINDS] & WIDER and fits(position, limits, rectangle, pair):
                for corner in range(4):
                    if _put_decided(position, limits, mode, out, rectangle, corner, pair):
                        return
            beside = 0  # adjacent corners with only the pair
            for other in range(4):
                mask = position[CANDIDATES + RECTANGLES[rectangle, other]]
                if (other - index) % 2 and not mask & ~pair:
                    beside += 1
            if beside or not fits(position, limits, rectangle, pair):
                continue
            opposite = RECTANGLES[rectangle, (index + 2) % 4]
            for digit in range(9):
                if (
                    not pair >> digit & 1
                    or not confined(position, digit, CELL_HOUSES[opposite, 0], rectangle)
                    or not confined(position, digit, CELL_HOUSES[opposite, 1], rectangle)
                ):
                    continue
                begin(out, limits[KEY], 0, pair, 4)
                put_removed_mask(out, position, opposite, pair & ~(1 << digit))
                put_corners(position, out, RECTANGLES[rectangle], 4)
                put_house(out, BASE, 1 << digit, CELL_HOUSES[opposite, 0])
                put_house(out, BASE, 1 << digit, CELL_HOUSES[opposite, 1])
                if commit(out, mode):
                    return


@kernel
def _link(position: State, digit: int, one: int, other: int, rectangle: int) -> int:
    """A house of two corners in which `digit` has its places in corners only; _OPEN where there is none."""
    for kind in range(3):
        house = int(CELL_HOUSES[one, kind])
        if house == CELL_HOUSES[other, kind] and confined(position, digit, house, rectangle):
            return house
    return _OPEN


@kernel
def _put_decided(
    position: State, limits: Limits, mode: int, out: Steps, rectangle: int, corner: int, pair: int
) -> bool:
    """A digit of `pair` leaves a corner where it would decide the other three; True to stop the scan.

    Those beside it would have the other digit of the pair, the opposite one the same.
    """
    cell = RECTANGLES[rectangle, corner]
    one = RECTANGLES[rectangle, (corner + 1) % 4]
    across = RECTANGLES[rectangle, (corner + 2) % 4]
    last = RECTANGLES[rectangle, (corner + 3) % 4]
    for digit in range(9):
        if not (pair & position[CANDIDATES + cell]) >> digit & 1:
            continue
        other = trailing_zeros(pair & ~(1 << digit))
        first = _BY_PAIR if position[CANDIDATES + one] == pair else _OPEN
        second = _BY_PAIR if position[CANDIDATES + last] == pair else _OPEN
        opposite = _link(position, digit, one, across, rectangle)
        if opposite == _OPEN:
            opposite = _link(position, digit, last, across, rectangle)
        if position[CANDIDATES + across] == pair:
            if first == _OPEN and second == _OPEN:
                first = _link(position, other, cell, one, rectangle)
                second = _link(position, other, cell, last, rectangle)
            if first != _OPEN or second != _OPEN:
                opposite = _BY_PAIR
        if opposite == _OPEN:
            continue
        if first == _OPEN:
            first = _link(position, other, across, one, rectangle)
        if second == _OPEN:
            second = _link(position, other, across, last, rectangle)
        if first == _OPEN:
            first = _link(position, other, cell, one, rectangle)
        if second == _OPEN:
            second = _link(position, other, cell, last, rectangle)
        if first == _OPEN or second == _OPEN or (first < 0 and second < 0 and opposite < 0):
            continue
        begin(out, limits[KEY], 1, pair, 4)
        put_removed(out, position, cell, digit)
        put_corners(position, out, RECTANGLES[rectangle], 4)
        if first >= 0:
            put_house(out, BASE, 1 << other, first)
        if second >= 0 and second != first:
            put_house(out, BASE, 1 << other, second)
        if opposite >= 0:
            put_house(out, BASE, 1 << digit, opposite)
        if commit(out, mode):
            return True
    return False


@kernel
def _solved_corners(position: State, rectangle: int) -> int:
    """Return the solved corners as four bits."""
    solved = 0
    for index in range(4):
        if position[DIGITS + RECTANGLES[rectangle, index]]:
            solved |= 1 << index
    return solved


@kernel
def _open_digit(position: State, rectangle: int, index: int) -> int:
    """Return the digit (0..8) of the solved corner opposite `index`: the one at `index` if all can be
    swapped.
    """
    return int(position[DIGITS + RECTANGLES[rectangle, (index + 2) % 4]]) - 1


@kernel
def scan_avoidable_rectangle_1(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find three solved corners, none given: the digit that would complete a swappable rectangle is
    eliminated.
    """
    for rectangle in _half_solved(position):
        solved = _solved_corners(position, rectangle)
        if count_ones(solved) != 3:
            continue
        index = trailing_zeros(15 & ~solved)
        cell = RECTANGLES[rectangle, index]
        beside = position[DIGITS + RECTANGLES[rectangle, (index + 1) % 4]]
        if beside != position[DIGITS + RECTANGLES[rectangle, (index + 3) % 4]]:
            continue
        if not limits[KINDS] & WIDER and count_ones(position[CANDIDATES + cell]) != 2:
            continue
        digit = _open_digit(position, rectangle, index)
        begin(out, limits[KEY], 0, 1 << digit | 1 << (beside - 1), 4)
        put_removed(out, position, cell, digit)
        put_corners(position, out, RECTANGLES[rectangle], 4)
        if commit(out, mode):
            return


@kernel
def scan_avoidable_rectangle_2(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find two solved corners, none given; the open ones each have a rectangle digit and the same extra
    digit.
    """
    for rectangle in _half_solved(position):
        solved = _solved_corners(position, rectangle)
        if count_ones(solved) != 2:
            continue
        # The first two corners share a box, the last two another one.
        if not limits[KINDS] & WIDER and solved != 3 and solved != 12:
            continue
        first = trailing_zeros(15 & ~solved)
        second = trailing_zeros(15 & ~solved & ~(1 << first))
        one = position[CANDIDATES + RECTANGLES[rectangle, first]]
        other = position[CANDIDATES + RECTANGLES[rectangle, second]]
        if count_ones(one) != 2 or count_ones(other) != 2:
            continue
        if second - first == 2:  # solved corners on a diagonal: they hold the same digit
            if (
                one != other
                or position[DIGITS + RECTANGLES[rectangle, (first + 1) % 4]]
                != (position[DIGITS + RECTANGLES[rectangle, (first + 3) % 4]])
            ):
                continue
            for digit in range(9):
                if one >> digit & 1 and _put_avoidable_2(position, limits, mode, out, rectangle, digit):
                    return
            continue
        here = 1 << _open_digit(position, rectangle, first)
        there = 1 << _open_digit(position, rectangle, second)
        extra = one & ~here
        if not one & here or not other & there or extra != other & ~there:
            continue
        if _put_avoidable_2(position, limits, mode, out, rectangle, trailing_zeros(extra)):
            return


@kernel
def _put_avoidable_2(
    position: State,
    limits: Limits,
    mode: int,
    out: Steps,
    rectangle: int,
    extra: int,
) -> bool:
    """Eliminate `extra` from every cell that sees both open corners, which have it; True to stop the scan."""
    begin(out, limits[KEY], 0, 1 << extra, 4)
    remove_extra(position, out, RECTANGLES[rectangle], 4, extra)
    put_corners(position, out, RECTANGLES[rectangle], 4)
    return commit(out, mode)


# No limit: a finite list of rectangles.
_rectangle = partial(Technique, family=Family.UNIQUENESS, bound=SHORT, needs_unique=True)
_avoidable = partial(
    _rectangle,
    tier=5,
    traits=Trait.SOLVED_CORNERS,
    limits={"kinds": AS_HODOKU | WIDER},
    paths={"hodoku": {"kinds": AS_HODOKU}},
)

ENTRIES: Final = (
    _rectangle(
        "hidden_rectangle",
        N_("Hidden Rectangle"),
        scan=scan_hidden_rectangle,
        tier=4,
        limits={"missing": 1, "kinds": AS_HODOKU | WIDER},
        paths={"hodoku": {"kinds": AS_HODOKU}, "logic": {"kinds": AS_HODOKU}},
    ),
    _avoidable("avoidable_rectangle_1", N_("Avoidable Rectangle Type 1"), scan=scan_avoidable_rectangle_1),
    _avoidable("avoidable_rectangle_2", N_("Avoidable Rectangle Type 2"), scan=scan_avoidable_rectangle_2),
)
