"""Strong links: two to six strong links of one digit in a row, as the (Sukaku) Explainer looks for them.

A strong link is a house in which the digit must be at one of two ends; an end is a cell, or a group of cells
on one line or in one box. Neighboring links have an end each in one house, so one of the two outer ends holds
the digit. Links that close to a loop clear every house that joins two of them.

The links have a table of their own, not the implication graph: an end here may be any group of a box, where
the graph's groups are parts of lines, and the best chain is the one of the lowest variant, not the shortest.
Unmeasured: the cost of extending the graph's groups for this. To find out, time both on the same positions.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CELLS, PLACES, State
from ..kernels.steps import FIRST, Steps, begin, commit, put_cells, put_house, put_removed_cells
from ..kernels.tables import CELL_HOUSES, HOUSE_CELLS, HOUSE_WORDS, PEER_WORDS
from .entry import BASE, COVER, N_, PATTERN, PINCER, SHORT, Family, Scope, Technique, Trait
from .limits import BARREN, KEY, LINKS, Limits

Row = NDArray[np.int32]
Ends = NDArray[np.int64]  # [n, 2] sets of ends: end e is bit e % _WORD of word e // _WORD

# Variants, in the order of the Explainer's ratings (0.1 for each).
PARALLEL: Final = 0  # single cells, all links in rows or all in columns
MIXED: Final = 1  # single cells, two kinds of houses
ALL_KINDS: Final = 2  # single cells, rows, columns and boxes
GROUPED: Final = 3  # a link with a group

MOST_LINKS: Final = 48  # of one digit: 18 lines have one each, a box at most two
_WORD: Final = MOST_LINKS
NOTHING: Final = 1 << 60  # worse than any chain

# Words of a link: its house, whether it is grouped, the cells of end 0 and of end 1 (three words each), the
# houses that contain each end, the cells that see each whole end (three words each), the cells of both.
_HOUSE: Final = 0
_GROUPED: Final = 1
_ENDS: Final = 2
_AROUND: Final = 8
_SEERS: Final = 10
_CELLS: Final = 16
_LINK: Final = 19

# Parts of the scratch array.
_TABLE: Final = 0
_CHAIN: Final = MOST_LINKS * _LINK  # the chosen ends: 2 * link + the end reached first
_JOINT: Final = _CHAIN + 8  # the house that joins a link to the previous one
_BEST: Final = _JOINT + 8  # the best chain so far, and its joints
_BEST_JOINT: Final = _BEST + 8
_VICTIMS: Final = _BEST_JOINT + 8  # three words
_BEST_DIGIT: Final = _VICTIMS + 3
_WORDS: Final = _BEST_DIGIT + 1


@kernel
def _add_link(house: int, one: int, two: int, grouped: int, links: int, scratch: Row) -> int:
    """Append the link whose ends are the places `one` and `two` of `house`; returns the new number of
    links.
    """
    base = links * _LINK
    scratch[base + _HOUSE] = house
    scratch[base + _GROUPED] = grouped
    for word in range(6):
        scratch[base + _ENDS + word] = 0
    for end in range(2):
        places = one if end == 0 else two
        around = (1 << 27) - 1
        for band in range(3):
            scratch[base + _SEERS + 3 * end + band] = (1 << 27) - 1
        while places:
            cell = HOUSE_CELLS[house, trailing_zeros(places)]
            places &= places - 1
            for band in range(3):
                scratch[base + _SEERS + 3 * end + band] &= PEER_WORDS[cell, band]
            scratch[base + _ENDS + 3 * end + cell // 27] |= 1 << (cell % 27)
            row, column, box = CELL_HOUSES[cell, 0], CELL_HOUSES[cell, 1], CELL_HOUSES[cell, 2]
            around &= 1 << row | 1 << column | 1 << box
        scratch[base + _AROUND + end] = around
    for band in range(3):
        scratch[base + _CELLS + band] = scratch[base + _ENDS + band] | scratch[base + _ENDS + 3 + band]
    return links + 1


@kernel
def _add_links_of_box(house: int, places: int, links: int, scratch: Row) -> int:
    """Append the links of a box with three to six places: a row and a column of it, or two lines."""
    for heart in range(9):
        row = 0b111 << heart // 3 * 3
        column = 0b1001001 << heart % 3
        if places & ~(row | column):
            continue
        centre = places & (1 << heart)
        along = places & row & ~(1 << heart)
        down = places & column & ~(1 << heart)
        if along == 0 or down == 0:
            return links
        # The center counts with the longer arm, or with both; in an angle the row's place stays alone.
        if count_ones(along) == 1:
            return _add_link(house, along, down | centre, 1, links, scratch)
        if count_ones(down) == 1:
            return _add_link(house, down, along | centre, 1, links, scratch)
        return _add_link(house, along | centre, down | centre, 1, links, scratch)
    if count_ones(places) < 4:
        return links
    for turn in range(2):
        for empty in range(3):
            gone = 0b111 << 3 * empty if turn == 0 else 0b1001001 << empty
            if places & gone:
                continue
            first = 0 if empty else 1
            second = 3 - first - empty
            one = places & (0b111 << 3 * first if turn == 0 else 0b1001001 << first)
            two = places & (0b111 << 3 * second if turn == 0 else 0b1001001 << second)
            if one == 0 or two == 0:
                return links
            links = _add_link(house, one, two, 1, links, scratch)
            # Four places in a square form a pair of rows and a pair of columns.
            if turn == 1 or count_ones(places) > 4:
                return links
            break
    return links


@kernel
def _collect_links(position: State, digit: int, scratch: Row) -> int:
    """List the strong links of `digit` in scratch, boxes first, then rows and columns; returns how many
    there are.
    """
    links = 0
    for order in range(27):
        house = order + 18 if order < 9 else order - 9
        places = int(position[PLACES + 27 * digit + house])
        count = count_ones(places)
        if count < 2 or count > 6:
            continue
        lowest = places & -places
        if count == 2:
            other = places & ~lowest
            one, two = trailing_zeros(lowest), trailing_zeros(other)
            if house < 18 or (one // 3 != two // 3 and one % 3 != two % 3):
                links = _add_link(house, lowest, other, 0, links, scratch)
        elif house >= 18:
            links = _add_links_of_box(house, places, links, scratch)
        else:
            for empty in range(3):
                if places & (0b111 << 3 * empty):
                    continue
                first = 0 if empty else 1
                second = 3 - first - empty
                one, two = places & (0b111 << 3 * first), places & (0b111 << 3 * second)
                if one and two:
                    links = _add_link(house, one, two, 1, links, scratch)
                break
    return links


@kernel
def _joint(one: int, two: int, scratch: Row) -> int:
    """Return the house that contains both ends (2 * link + end), columns before rows before boxes; -1
    without one.
    """
    base = (one >> 1) * _LINK + _AROUND + (one & 1)
    both = int(scratch[base] & scratch[(two >> 1) * _LINK + _AROUND + (two & 1)])
    if both == 0:
        return -1
    columns = both & 0b111111111 << 9
    return trailing_zeros(columns if columns else both)


@kernel
def _overlap(one: int, two: int, scratch: Row) -> bool:
    """Whether two links share a house or a cell."""
    base = one * _LINK
    other = two * _LINK
    common = int(scratch[base + _HOUSE] == scratch[other + _HOUSE])
    for band in range(_CELLS, _CELLS + 3):
        common |= scratch[base + band] & scratch[other + band]
    return common != 0


@kernel
def _ends_from(first: int, word: int) -> int:
    """Return the ends from number `first` on, as a word of a set."""
    shift = int(min(max(first - word * _WORD, 0), _WORD))
    return (1 << _WORD) - (1 << shift)


@kernel
def _next_end(waiting: Ends, depth: int) -> int:
    """Take the lowest end from the set of a depth; -1 if it is empty."""
    for word in range(2):
        rest = waiting[depth, word]
        if rest:
            waiting[depth, word] = rest & (rest - 1)
            return word * _WORD + trailing_zeros(rest)
    return -1


@kernel
def _join_links(links: int, held: Ends, following: Ends, barred: Ends, scratch: Row) -> None:
    """Compute for each end reached first, the ends that may come next; for each link, the ends of overlapping
    links.

    held: int64[27, 2], scratch: the ends that each house contains.
    """
    for house in range(27):
        held[house, 0] = 0
        held[house, 1] = 0
    for end in range(2 * links):
        around = int(scratch[(end >> 1) * _LINK + _AROUND + (end & 1)])
        while around:
            held[trailing_zeros(around), end // _WORD] |= 1 << end % _WORD
            around &= around - 1
    for end in range(2 * links):
        left = end ^ 1
        first, second = 0, 0
        around = int(scratch[(left >> 1) * _LINK + _AROUND + (left & 1)])
        while around:
            first |= int(held[trailing_zeros(around), 0])
            second |= int(held[trailing_zeros(around), 1])
            around &= around - 1
        following[end, 0] = first
        following[end, 1] = second
    for link in range(links):
        barred[link, 0] = 0
        barred[link, 1] = 0
    for link in range(links):
        for other in range(link + 1):
            if _overlap(link, other, scratch):
                barred[link, 2 * other // _WORD] |= 3 << 2 * other % _WORD
                barred[other, 2 * link // _WORD] |= 3 << 2 * link % _WORD


@kernel
def _add_victims(one: int, two: int, keep: Row, scratch: Row) -> int:
    """Add to _VICTIMS the cells of `keep` that see both whole ends; returns how many see them."""
    count = 0
    base = (one >> 1) * _LINK + _SEERS + 3 * (one & 1)
    other = (two >> 1) * _LINK + _SEERS + 3 * (two & 1)
    for band in range(3):
        seers = keep[band] & scratch[base + band] & scratch[other + band]
        scratch[_VICTIMS + band] |= seers
        count += count_ones(seers)
    return count


@kernel
def _eliminate(position: State, digit: int, length: int, ring: int, keep: Row, scratch: Row) -> int:
    """Compute the chain's eliminations in _VICTIMS; returns how often the digit is removed, joint by joint.

    ring: the house that joins the outer ends, or -1. The links' houses are exempt, and unless it is a loop
    also those of the joining houses: a shorter chain shows them.
    """
    for band in range(3):
        keep[band] = position[CELLS + 3 * digit + band]
        scratch[_VICTIMS + band] = 0
        for index in range(length):
            house = scratch[(scratch[_CHAIN + index] >> 1) * _LINK + _HOUSE]
            keep[band] &= ~HOUSE_WORDS[house, band]
            if index and ring < 0:
                keep[band] &= ~HOUSE_WORDS[scratch[_JOINT + index], band]
    count = _add_victims(scratch[_CHAIN], scratch[_CHAIN + length - 1] ^ 1, keep, scratch)
    if ring >= 0:
        for index in range(1, length):
            count += _add_victims(scratch[_CHAIN + index - 1] ^ 1, scratch[_CHAIN + index], keep, scratch)
    return count


@kernel
def _variant(length: int, scratch: Row) -> int:
    """Return PARALLEL, MIXED, ALL_KINDS or GROUPED."""
    kinds = 0
    for index in range(length):
        base = (scratch[_CHAIN + index] >> 1) * _LINK
        if scratch[base + _GROUPED]:
            return GROUPED
        kinds |= 1 << scratch[base + _HOUSE] // 9
    if kinds == 1 or kinds == 2:
        return PARALLEL
    return ALL_KINDS if kinds == 7 else MIXED


@kernel
def _suffix(length: int, scratch: Row) -> int:
    """Return the number by which the Explainer sorts otherwise equal chains: lower first.

    How many links are grouped, then the kinds of the links along the chain (box 0, row 1, column 2), read
    from the better side and with rows and columns exchanged if that is lower.
    """
    forward = backward = swapped = swapped_back = grouped = 0
    rows = False
    for index in range(length):
        base = (scratch[_CHAIN + index] >> 1) * _LINK
        last = (scratch[_CHAIN + length - 1 - index] >> 1) * _LINK
        kind = (scratch[base + _HOUSE] // 9 + 1) % 3
        from_end = (scratch[last + _HOUSE] // 9 + 1) % 3
        grouped += scratch[base + _GROUPED]
        rows = rows or kind == 1
        forward = 10 * forward + kind
        backward = 10 * backward + from_end
        swapped = 10 * swapped + (3 - kind if kind else 0)
        swapped_back = 10 * swapped_back + (3 - from_end if from_end else 0)
    kinds = min(forward, backward)
    other = min(swapped, swapped_back)
    return 1_000_000 * grouped + (min(kinds, other) if rows else other)


@kernel
def _rank(length: int, digit: int, scratch: Row) -> int:
    """Return the rank of the chain in the Explainer's order: by the kinds of its links, the digit, the
    houses.
    """
    sets = 0
    houses = 0
    used = 0
    for index in range(length):
        house = scratch[(scratch[_CHAIN + index] >> 1) * _LINK + _HOUSE]
        used |= 1 << (house + 9) % 27
    weight = 1
    while used:
        order = trailing_zeros(used)
        used &= used - 1
        sets += order // 9 * weight
        weight *= 3
        houses = 9 * houses + order % 9
    return (sets * 9 + digit) * 531_441 + houses


@kernel
def _put_chain(position: State, limits: Limits, digit: int, ring: int, scratch: Row, out: Steps) -> None:
    """Write the chain in _CHAIN with the cells in _VICTIMS; the caller commits."""
    bit = 1 << digit
    length = int(limits[LINKS])
    begin(out, limits[KEY], _variant(length, scratch), bit, length)
    for band in range(3):
        put_removed_cells(out, position, digit, band, scratch[_VICTIMS + band])
    for index in range(length):
        for turn in range(2):
            end = scratch[_CHAIN + index] ^ turn
            outer = ring < 0 and index == (0 if turn == 0 else length - 1)
            base = (end >> 1) * _LINK + _ENDS + 3 * (end & 1)
            for band in range(3):
                put_cells(out, PINCER if outer else PATTERN, bit, band, scratch[base + band])
    for index in range(length):
        put_house(out, BASE, bit, scratch[(scratch[_CHAIN + index] >> 1) * _LINK + _HOUSE])
    for index in range(1, length):
        put_house(out, COVER, bit, scratch[_JOINT + index])
    if ring >= 0:
        put_house(out, COVER, bit, ring)


@kernel
def scan_strong_links(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find chains of limits[LINKS] strong links.

    Mode FIRST returns the Explainer's choice: the best variant, then most eliminations, then its suffix.
    """
    length = int(limits[LINKS])
    scratch = np.empty(_WORDS, dtype=np.int32)
    keep = np.empty(3, dtype=np.int32)
    held = np.empty((27, 2), dtype=np.int64)
    following = np.empty((2 * MOST_LINKS, 2), dtype=np.int64)
    barred = np.empty((MOST_LINKS, 2), dtype=np.int64)
    waiting = np.empty((length, 2), dtype=np.int64)
    gone = np.empty((length, 2), dtype=np.int64)
    best = best_suffix = best_rank = NOTHING
    best_ring = -1
    for digit in range(9):
        places = position[CELLS + 3 * digit : CELLS + 3 * digit + 3]
        count = count_ones(places[0]) + count_ones(places[1]) + count_ones(places[2])
        # Each end has at least one place, and so do the eliminations.
        if limits[BARREN] >> digit & 1 or count <= 2 * length:
            continue
        links = _collect_links(position, digit, scratch)
        if links < length:
            continue
        _join_links(links, held, following, barred, scratch)
        depth = 0
        for word in range(2):
            waiting[0, word] = _ends_from(0, word) & ~_ends_from(2 * links, word)
            gone[0, word] = 0
        while depth >= 0:
            end = _next_end(waiting, depth)
            if end < 0:
                depth -= 1
                continue
            scratch[_CHAIN + depth] = end
            if depth < length - 1:
                # The last link is numbered after the first: each chain is found from both sides.
                first = 2 * (scratch[_CHAIN] >> 1) + 2 if depth == length - 2 else 0
                for word in range(2):
                    gone[depth + 1, word] = gone[depth, word] | barred[end >> 1, word]
                    waiting[depth + 1, word] = (
                        following[end, word] & ~gone[depth + 1, word] & _ends_from(first, word)
                    )
                depth += 1
                continue
            # A loop is found from every link too.
            ring = _joint(end ^ 1, scratch[_CHAIN], scratch)
            if ring < 0 and not _add_victims(scratch[_CHAIN], end ^ 1, places, scratch):
                continue
            lowest = True
            if ring >= 0:
                lowest = scratch[_CHAIN] & 1 == 0
                for index in range(1, length):
                    lowest = lowest and scratch[_CHAIN + index] >> 1 > scratch[_CHAIN] >> 1
            if not lowest:
                continue
            for index in range(1, length):
                scratch[_JOINT + index] = _joint(
                    scratch[_CHAIN + index - 1] ^ 1, scratch[_CHAIN + index], scratch
                )
            count = _eliminate(position, digit, length, ring, keep, scratch)
            if count == 0:
                continue
            if mode != FIRST:
                _put_chain(position, limits, digit, ring, scratch, out)
                if commit(out, mode):
                    return
                continue
            worth = 1000 * _variant(length, scratch) - count
            if worth > best:
                continue
            suffix = _suffix(length, scratch)
            rank = _rank(length, digit, scratch)
            if worth == best and (suffix > best_suffix or (suffix == best_suffix and rank >= best_rank)):
                continue
            best, best_suffix, best_rank, best_ring = worth, suffix, rank, ring
            scratch[_BEST_DIGIT] = digit
            for index in range(length):
                scratch[_BEST + index] = scratch[_CHAIN + index]
                scratch[_BEST_JOINT + index] = scratch[_JOINT + index]
    if best == NOTHING:
        return
    digit = int(scratch[_BEST_DIGIT])
    _collect_links(position, digit, scratch)
    for index in range(length):
        scratch[_CHAIN + index] = scratch[_BEST + index]
        scratch[_JOINT + index] = scratch[_BEST_JOINT + index]
    _eliminate(position, digit, length, best_ring, keep, scratch)
    _put_chain(position, limits, digit, best_ring, scratch, out)
    commit(out, mode)


# No limit: up to six links of one digit.
_links = partial(
    Technique,
    scan=scan_strong_links,
    family=Family.SINGLE_DIGIT,
    tier=5,
    bound=SHORT,
    template_name="strong_links",
    scope=Scope.DIGIT,
    traits=Trait.STRONG_LINKS | Trait.COVERS_JOIN,
)

ENTRIES: Final = (
    _links("strong_links_2", N_("Two Strong Links"), tier=4, limits={"links": 2}),
    _links("strong_links_3", N_("Three Strong Links"), limits={"links": 3}),
    _links("strong_links_4", N_("Four Strong Links"), limits={"links": 4}),
    _links("strong_links_5", N_("Five Strong Links"), limits={"links": 5}, rare=True),
    _links("strong_links_6", N_("Six Strong Links"), limits={"links": 6}, rare=True),
)
