"""Broken wings: an odd loop in which a digit would have two places in each house, except for its
guardians.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.bits import count_ones, trailing_zeros
from ...kernels.state import CELLS, PLACES, State
from ...kernels.steps import (
    FULL,
    PAST_BOUND,
    Steps,
    begin,
    commit,
    put_cell,
    put_cells,
    put_house,
    put_placed,
    put_removed_cells,
)
from ...kernels.tables import CELL_HOUSES, HOUSE_CELLS, PEER_WORDS, PLACE_IN, SEEN_PLACES, SEES
from ..entry import BASE, FIN, N_, PATTERN, Family, Scope, Technique
from ..limits import BARREN, BOUND, KEY, LINKS, Limits

Row = NDArray[np.int32]

SHORTEST: Final = 5  # cells of a loop
LONGEST: Final = 9

# A set of cells is two words here, of 54 and 27 bits: cell c is bit c % _WORD of word c // _WORD.
_WORD: Final = 54
Sets = NDArray[np.int64]


def _pairs_of_words(words: NDArray[np.int32]) -> Sets:
    """Convert sets of three words of 27 bits to two words."""
    wide = words.astype(np.int64)
    return np.stack([wide[:, 0] | wide[:, 1] << 27, wide[:, 2]], axis=1)


_PEERS: Final[Sets] = _pairs_of_words(PEER_WORDS)  # [81, 2]


# Columns of a link: its guardians, two words, and what sees them all, two words.
_GUARDIANS: Final = 0
_SEEN: Final = 2
_WIDTH: Final = 4


@kernel
def _collect_links(position: State, digit: int, links: Sets) -> None:
    """Write the links of a digit to int64[27 * 81, _WIDTH].

    The link from place i to place j of a house is in row 81 * house + 9 * i + j.
    """
    first = int(position[CELLS + 3 * digit]) | int(position[CELLS + 3 * digit + 1]) << 27
    second = int(position[CELLS + 3 * digit + 2])
    for house in range(27):
        places = int(position[PLACES + 27 * digit + house])
        one = places
        while one:
            i = trailing_zeros(one)
            one &= one - 1
            two = one
            while two:
                j = trailing_zeros(two)
                two &= two - 1
                low, high, seen, seen_high = 0, 0, first, second
                rest = places & ~(1 << i | 1 << j)
                while rest:
                    cell = HOUSE_CELLS[house, trailing_zeros(rest)]
                    rest &= rest - 1
                    if cell < _WORD:
                        low |= 1 << cell
                    else:
                        high |= 1 << (cell - _WORD)
                    seen &= _PEERS[cell, 0]
                    seen_high &= _PEERS[cell, 1]
                for at in (81 * house + 9 * i + j, 81 * house + 9 * j + i):
                    links[at, _GUARDIANS] = low
                    links[at, _GUARDIANS + 1] = high
                    links[at, _SEEN] = seen
                    links[at, _SEEN + 1] = seen_high


@kernel
def _put_loop(
    position: State,
    limits: Limits,
    digit: int,
    loop: Row,
    houses: Row,
    length: int,
    known: Sets,
    out: Steps,
) -> None:
    """Write the step of a loop, without commit: one of its guardians is true.

    known: int64[LONGEST + 1, _WIDTH]; row `length` is for the whole loop.
    """
    begin(out, limits[KEY], 0, 1 << digit, length)
    count = 0
    last = 0
    for band in range(3):
        guardians = _band(known, length, _GUARDIANS, band)
        count += count_ones(guardians)
        if guardians:
            last = 27 * band + trailing_zeros(guardians)
    if count == 1:
        put_placed(out, last, digit)
    elif count:
        for band in range(3):
            put_removed_cells(out, position, digit, band, _band(known, length, _SEEN, band))
    for index in range(length):
        put_cell(out, PATTERN, 1 << digit, loop[index])
    for band in range(3):
        put_cells(out, FIN, 1 << digit, band, _band(known, length, _GUARDIANS, band))
    for index in range(length):
        put_house(out, BASE, 1 << digit, houses[index])


@kernel
def _band(known: Sets, at: int, column: int, band: int) -> int:
    """Return the 27 cells of a band in a set of row `at` of `known`."""
    return int(known[at, column + band // 2] >> 27 * (band % 2) & 0x7FFFFFF)


@kernel
def _join(one: int, two: int, root: Row, side: Row) -> bool:
    """Put two cells on different sides of an alternating loop; returns whether they were already on the same
    one.

    root: int32[81], a cell closer to the first of those joined, itself at the first. side: int32[81], whether
    the cell is on another side than that one. Both are changed.
    """
    first, second = 0, 1
    while root[one] != one:
        first ^= side[one]
        one = root[one]
    while root[two] != two:
        second ^= side[two]
        two = root[two]
    if one == two:
        return first != second
    root[one] = two
    side[one] = first ^ second
    return False


@kernel
def _is_odd(position: State, digit: int, cell: int, lone: bool, root: Row, side: Row) -> bool:
    """Whether an odd cycle passes through links whose guardians all see `cell`, or with `lone` equal it.

    Every loop has one, and testing for it first reduces the scan from 1.8 ms to 0.1. root, side: scratch.
    """
    for other in range(81):
        root[other] = other
        side[other] = 0
    for house in range(27):
        places = int(position[PLACES + 27 * digit + house])
        if lone:
            held = CELL_HOUSES[cell, house // 9] == house
            apart = places & ~(1 << PLACE_IN[cell, house // 9]) if held else places
            if count_ones(apart) != 2:
                continue
        else:
            apart = places & ~SEEN_PLACES[cell, house]
        count = count_ones(apart)
        if places & (places - 1) == 0 or count > 2:
            continue
        if count == 0:  # any two of its places are a link
            return True
        one = HOUSE_CELLS[house, trailing_zeros(apart)]
        rest = apart & (apart - 1) if count == 2 else places & ~apart
        while rest:
            if _join(one, HOUSE_CELLS[house, trailing_zeros(rest)], root, side):
                return True
            rest &= rest - 1
    return False


@kernel
def _collect_odd(position: State, digit: int, odd: Sets, root: Row, side: Row) -> bool:
    """Whether there can be a loop of the digit.

    odd: int64[_WIDTH], filled with the cells that can be sole guardians, then those that can see them all.
    """
    for word in range(_WIDTH):
        odd[word] = 0
    for band in range(3):
        rest = position[CELLS + 3 * digit + band]
        while rest:
            cell = 27 * band + int(trailing_zeros(rest))
            rest &= rest - 1
            if _is_odd(position, digit, cell, True, root, side):
                odd[_GUARDIANS + cell // _WORD] |= 1 << cell % _WORD
            if _is_odd(position, digit, cell, False, root, side):
                odd[_SEEN + cell // _WORD] |= 1 << cell % _WORD
    return bool(odd[0] | odd[1] | odd[2] | odd[3])


@kernel
def _scan_length(
    position: State, limits: Limits, digit: int, length: int, odd: Sets, links: Sets, mode: int, out: Steps
) -> bool:
    """Find all loops of a length from their lowest cell, the second below the last; returns commit's
    result.
    """
    loop = np.empty(LONGEST, dtype=np.int32)
    houses = np.empty(LONGEST, dtype=np.int32)
    # The next continuation from each cell: 9 * kind of house + place
    tried = np.empty(LONGEST, dtype=np.int32)
    known = np.empty((LONGEST + 1, _WIDTH), dtype=np.int64)  # at each cell of a loop
    known[0, _GUARDIANS] = 0
    known[0, _GUARDIANS + 1] = 0
    known[0, _SEEN] = int(position[CELLS + 3 * digit]) | int(position[CELLS + 3 * digit + 1]) << 27
    known[0, _SEEN + 1] = int(position[CELLS + 3 * digit + 2])
    nodes = 0
    for start in range(81):
        if not position[CELLS + 3 * digit + start // 27] >> (start % 27) & 1:
            continue
        loop[0] = start
        tried[0] = 0
        inside, inside_high, used = _bit(start, 0), _bit(start, 1), 0  # the loop's cells and houses
        depth = 0
        while True:
            way = tried[depth]
            if way == 27:
                if depth == 0:
                    break
                inside &= ~_bit(loop[depth], 0)
                inside_high &= ~_bit(loop[depth], 1)
                depth -= 1
                used &= ~(1 << houses[depth])
                continue
            last = loop[depth]
            house = CELL_HOUSES[last, way // 9]
            if used >> house & 1:
                tried[depth] = way // 9 * 9 + 9
                continue
            if depth == length - 1:  # close the loop, by each house that its ends share
                tried[depth] = way // 9 * 9 + 9
                if CELL_HOUSES[start, way // 9] != house:
                    continue
                cell = start
                low, high = 0, 0
            else:
                rest = position[PLACES + 27 * digit + house] >> way % 9
                if rest == 0:
                    tried[depth] = way // 9 * 9 + 9
                    continue
                way += trailing_zeros(rest)
                tried[depth] = way + 1
                cell = HOUSE_CELLS[house, way % 9]
                if cell <= start or (
                    depth == length - 2 and (cell <= loop[1] or not SEES[start, cell])
                ):  # the last one must see the first
                    continue
                low, high = _bit(cell, 0), _bit(cell, 1)
                if inside & low or inside_high & high:
                    continue
            nodes += 1
            if nodes > limits[BOUND]:
                out[FULL] = PAST_BOUND
                return True
            kind = way // 9
            link = 81 * house + 9 * PLACE_IN[last, kind] + PLACE_IN[cell, kind]
            guardians = known[depth, _GUARDIANS] | links[link, _GUARDIANS]
            guardians_high = known[depth, _GUARDIANS + 1] | links[link, _GUARDIANS + 1]
            if guardians & (inside | low) or guardians_high & (inside_high | high):
                continue
            seen = known[depth, _SEEN] & links[link, _SEEN]
            seen_high = known[depth, _SEEN + 1] & links[link, _SEEN + 1]
            if seen & odd[_SEEN] | seen_high & odd[_SEEN + 1] == 0:
                count = count_ones(guardians) + count_ones(guardians_high)
                if count > 1 or (
                    count == 1 and guardians & odd[_GUARDIANS] | guardians_high & odd[_GUARDIANS + 1] == 0
                ):
                    continue
            houses[depth] = house
            known[depth + 1, _GUARDIANS] = guardians
            known[depth + 1, _GUARDIANS + 1] = guardians_high
            known[depth + 1, _SEEN] = seen
            known[depth + 1, _SEEN + 1] = seen_high
            if depth < length - 1:
                inside |= low
                inside_high |= high
                used |= 1 << house
                depth += 1
                loop[depth] = cell
                tried[depth] = 0
                continue
            _put_loop(position, limits, digit, loop, houses, length, known, out)
            if commit(out, mode):
                return True
    return False


@kernel
def _bit(cell: int, word: int) -> int:
    """The part of the set of one cell that is in a word."""
    return 1 << int(cell % _WORD) if cell // _WORD == word else 0


@kernel
def scan_broken_wing(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find loops of 5, 7, ... cells, each sharing a house with the next; a digit can't alternate along them.

    So some house of the loop has the digit elsewhere, at a guardian: what sees all guardians loses it, and a
    single one is placed. Raises FULL past limits[BOUND] links tried for a length of a digit.
    """
    links = np.empty((27 * 81, _WIDTH), dtype=np.int64)
    odd = np.empty((9, _WIDTH), dtype=np.int64)
    root = np.empty(81, dtype=np.int32)
    side = np.empty(81, dtype=np.int32)
    fit = 0  # the digits that may have a loop
    for digit in range(9):
        if not limits[BARREN] >> digit & 1 and _collect_odd(position, digit, odd[digit], root, side):
            fit |= 1 << digit
    for length in range(SHORTEST, limits[LINKS] + 1, 2):
        for digit in range(9):
            if not fit >> digit & 1:
                continue
            _collect_links(position, digit, links)
            if _scan_length(position, limits, digit, length, odd[digit], links, mode, out):
                return


ENTRIES: Final = (
    Technique(
        "broken_wing",
        N_("Broken Wing"),
        scan=scan_broken_wing,
        family=Family.SINGLE_DIGIT,
        tier=5,
        scope=Scope.DIGIT,
        bound=2_000_000,  # links tried
        limits={"links": LONGEST},
        paths={"logic": {"links": 7}},
        rare=True,
    ),
)
