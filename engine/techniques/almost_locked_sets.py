"""Almost locked sets joined by restricted commons: two (als_xz), three (als_xy_wing) or a longer chain.

A set of n cells with n + 1 digits that lacks one of them holds all the others. A digit that can't be true in
both of two sets (their restricted common) is missing in the second if the first holds it.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.almost_locked import (
    ALS_DIGITS,
    ROW_BITS,
    SEERS,
    WORDS,
    AlsTable,
    Rows,
    Sets,
    but_for_one,
    homes_of,
    new_rows,
    overlap,
    put_set,
    restricted_commons,
    seen_by_both,
    sets_of,
)
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.effects import Hits, Seen, commit_shortest, drop_longer, new_seen, put_hits
from ..kernels.state import State
from ..kernels.steps import FULL, PAST_BOUND, Steps, begin, discard, put_house
from .entry import ALS, N_, SHOWN, Family, Technique
from .keys import NUMBER
from .limits import ALS as MOST_SETS
from .limits import BOUND, FORWARD, KEY, KINDS, OVERLAP, Limits

Words = NDArray[np.int32]
Spent = NDArray[np.int64]

ALS_XZ: Final = NUMBER["als_xz"]
ALS_XY_WING: Final = NUMBER["als_xy_wing"]

# Bits of limits[KINDS]: what to search for, when paths search for both at once.
OF_TWO: Final = 1
OF_THREE: Final = 2


@kernel
def _put_common(out: Steps, sets: Sets, one: int, other: int, digits: int) -> None:
    """Write the houses of the restricted commons `digits` of two sets, one digit each."""
    while digits:
        digit = trailing_zeros(digits)
        homes = homes_of(sets.position, sets.table, one, digit)
        homes &= homes_of(sets.position, sets.table, other, digit)
        put_house(out, SHOWN, 1 << digit, trailing_zeros(homes))
        digits &= digits - 1


@kernel
def _seen_by_both(table: AlsTable, one: int, other: int, digits: int, hits: Hits) -> bool:
    """Set `hits` to the candidates among `digits` that see every such candidate of both sets; returns
    whether any do.
    """
    hits[:] = 0
    some = 0
    rest = digits & table[one, ALS_DIGITS] & table[other, ALS_DIGITS]
    while rest:
        digit = trailing_zeros(rest)
        rest &= rest - 1
        for band in range(3):
            word = table[one, SEERS + 3 * digit + band] & table[other, SEERS + 3 * digit + band]
            hits[3 * digit + band] = word
            some |= word
    return some != 0


@kernel
def _hit_locked(table: AlsTable, one: int, other: int, linked: int, hits: Hits) -> bool:
    """Add what set `one` clears when locked, outside set `other`; returns whether that is anything.

    linked: the digits it may lack.
    """
    some = 0
    rest = table[one, ALS_DIGITS] & ~linked
    while rest:
        digit = trailing_zeros(rest)
        rest &= rest - 1
        for band in range(3):
            word = table[one, SEERS + 3 * digit + band] & ~table[other, WORDS + band]
            hits[3 * digit + band] |= word
            some |= word
    return some != 0


@kernel
def _common(commons: Rows, top: int, other: int) -> int:
    """Return the (first two) restricted commons with set `other`, from the rows at `top`."""
    digits = 0
    for digit in range(9):
        digits |= int(commons[top + digit, other // ROW_BITS] >> other % ROW_BITS & 1) << digit
    rest = digits & (digits - 1)
    return digits & ~(rest & (rest - 1))


@kernel
def _next_set(sets: Rows, row: int, first: int) -> int:
    """Return the lowest set from number `first` on in a row; -1 without one."""
    word = first // ROW_BITS
    keep = -1 << first % ROW_BITS
    while word < sets.shape[1]:
        found = sets[row, word] & keep
        if found:
            return ROW_BITS * word + trailing_zeros(found)
        word += 1
        keep = -1
    return -1


class Scan(NamedTuple):
    """The sets of a position, and what is computed for each of them."""

    sets: Sets
    limits: Limits
    mode: int
    out: Steps
    # int64[10 * count, words], ten rows a set, filled by `restricted_commons`; `seen_by_both` fills those of
    # the set's digits and the last, and the others are undefined.
    commons: Rows
    meeting: Rows
    known: NDArray[np.bool_]  # [count, 2]: of each set, whether its rows of either are filled


@kernel
def scan_als(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Search for the wanted kinds, first two sets, then three."""
    sets = sets_of(position)
    if sets.total < 0:
        out[FULL] = PAST_BOUND
        return
    commons = np.empty((10 * sets.total, sets.holding.shape[1]), dtype=np.int64)
    known = np.zeros((sets.total, 2), dtype=np.bool_)
    scan = Scan(sets, limits, mode, out, commons, np.empty_like(commons), known)
    if limits[KINDS] & OF_TWO and _scan_two(scan):
        return
    if limits[KINDS] & OF_THREE:
        _scan_three(scan)


@kernel
def _scan_two(scan: Scan) -> bool:
    """Find two sets with a restricted common: one of them holds every other digit they share. True to stop.

    With two restricted commons each set lacks exactly one of the two and is otherwise locked. Raises FULL
    past limits[BOUND] pairs.
    """
    sets, limits, mode, out = scan.sets, scan.limits, scan.mode, scan.out
    position, table, count = sets.position, sets.table, sets.total
    commons, meeting, known = scan.commons, scan.meeting, scan.known
    overlapping = limits[OVERLAP] != 0
    seen = new_seen(mode)
    hits = np.empty(27, dtype=np.int32)
    worth = new_rows(1, count)
    spent = 0
    for one in range(count):
        top = 10 * one
        restricted_commons(sets, one, overlapping, commons, top)
        known[one, 0] = True
        if _next_set(commons, top + 9, one + 1) < 0:
            continue
        seen_by_both(sets, one, meeting, top)
        known[one, 1] = True
        for word in range(worth.shape[1]):
            once = np.int64(0)
            found = np.int64(0)  # two restricted commons, or one and another eliminable digit
            for digit in range(9):
                found |= commons[top + digit, word] & (once | meeting[top + digit, word])
                once |= commons[top + digit, word]
            worth[0, word] = found
        other = _next_set(worth, 0, one + 1)
        while other >= 0:
            spent += 1
            if spent > limits[BOUND]:
                out[FULL] = PAST_BOUND
                return True
            digits = _common(commons, top, other)
            twice = digits & (digits - 1) != 0
            some = _seen_by_both(table, one, other, 511 if twice else ~digits, hits)
            if twice:
                some |= _hit_locked(table, one, other, digits, hits)
                some |= _hit_locked(table, other, one, digits, hits)
            if some:
                begin(out, ALS_XZ, 0, digits, 2)
                put_hits(out, position, hits)
                put_set(out, position, table, one, ALS)
                put_set(out, position, table, other, ALS + 1)
                _put_common(out, sets, one, other, digits)
                if commit_shortest(out, mode, seen):
                    return True
            other = _next_set(worth, 0, other + 1)
    return False


@kernel
def _scan_three(scan: Scan) -> None:
    """Find a pivot set linked to two others by different digits: one of them holds each other digit they
    share.

    Raises FULL past limits[BOUND] pairs of others.
    """
    sets, limits, mode, out = scan.sets, scan.limits, scan.mode, scan.out
    position, table, count = sets.position, sets.table, sets.total
    commons, meeting, known = scan.commons, scan.meeting, scan.known
    overlapping = limits[OVERLAP] != 0
    seen = new_seen(mode)
    hits = np.empty(27, dtype=np.int32)
    apart = new_rows(10, count)  # for each digit the sets with another restricted common
    worth = new_rows(1, count)
    spent = 0
    for pivot in range(count):
        top = 10 * pivot
        if not known[pivot, 0]:
            restricted_commons(sets, pivot, overlapping, commons, top)
        left = 0
        for word in range(apart.shape[1]):
            for digit in range(9):
                apart[digit, word] = commons[top + digit, word]
            apart[9, word] = but_for_one(apart, 0, word)
            left += count_ones(apart[9, word])
        one = _next_set(commons, top + 9, 0)
        while one >= 0:
            left -= 1
            spent += left
            if spent > limits[BOUND]:
                out[FULL] = PAST_BOUND
                return
            if not known[one, 1]:
                seen_by_both(sets, one, meeting, 10 * one)
                known[one, 1] = True
            x = _common(commons, top, one)
            row = 9 if x & (x - 1) else trailing_zeros(x)
            for word in range(worth.shape[1]):
                worth[0, word] = apart[row, word] & meeting[10 * one + row, word]
            other = _next_set(worth, 0, one + 1)
            while other >= 0:
                y = _common(commons, top, other)
                if (
                    _seen_by_both(table, one, other, ~(x | y), hits)
                    and (limits[OVERLAP] or not overlap(table, one, other))
                    and not _one_holds_other(table, one, other)
                ):
                    begin(out, ALS_XY_WING, 0, x | y, 3)
                    put_hits(out, position, hits)
                    put_set(out, position, table, one, ALS)
                    put_set(out, position, table, pivot, ALS + 1)
                    put_set(out, position, table, other, ALS + 2)
                    _put_common(out, sets, one, pivot, x)
                    _put_common(out, sets, pivot, other, y)
                    if commit_shortest(out, mode, seen):
                        return
                other = _next_set(worth, 0, other + 1)
            one = _next_set(commons, top + 9, one + 1)


@kernel
def _one_holds_other(table: AlsTable, one: int, other: int) -> bool:
    """Whether the cells of one of two sets are a subset of the other's."""
    more = 0
    less = 0
    for band in range(3):
        more |= table[one, WORDS + band] & ~table[other, WORDS + band]
        less |= table[other, WORDS + band] & ~table[one, WORDS + band]
    return more == 0 or less == 0


@kernel
def _links(sets: Sets, limits: Limits, start: Words) -> Words:
    """Return the links between sets, int32[total, 2]: the other set and its (first two) restricted commons.

    start: int32[count + 1], output: the links of set i are start[i]..start[i + 1], ascending.
    """
    count = sets.total
    links = np.empty((16 * count, 2), dtype=np.int32)
    commons = new_rows(10, count)
    total = 0
    for one in range(count):
        start[one] = total
        restricted_commons(sets, one, limits[OVERLAP] != 0, commons, 0)
        if total + count > len(links):
            longer = np.empty((2 * (total + count), 2), dtype=np.int32)
            longer[:total] = links[:total]
            links = longer
        other = _next_set(commons, 9, 0)
        while other >= 0:
            links[total, 0] = other
            links[total, 1] = _common(commons, 0, other)
            total += 1
            other = _next_set(commons, 9, other + 1)
    start[count] = total
    return links


# The chain search. A start is a set and the digit it passes on: one bit of a row, ROW_BITS a word. A state is
# a set and the digit it was entered by. Layer n has for each state the starts that lead there in n links, so
# that all starts of a block are followed at once.
BLOCK_BITS: Final = 16 * ROW_BITS

Layers = NDArray[np.int64]  # [links + 1, states, words]


class Chains(NamedTuple):
    """The links and states of a chain search, and its room to work."""

    sets: Sets
    limits: Limits
    mode: int
    out: Steps
    start: Words  # int32[count + 1]: the links of set i are start[i]..start[i + 1], ascending
    links: Words  # int32[total, 2]: the other set, and its (first two) restricted commons
    states: Words  # int32[9 * count + 1]: at 9 * set + digit, the number of states before that one
    offset: Words  # int32[count + 1]: where the bits of a set in a block start
    begun: Words  # int32[count]: the digits it can pass on
    # int32[links + 1, 3]: of each set of a chain its number, the digit it was entered by, and the progress of
    # the backward search
    chain: Words
    spent: Spent  # int64[1]: the states visited on the way back
    seen: Seen
    hits: Hits  # scratch


@kernel
def _begin_block(scan: Chains, first: int) -> int:
    """Number the starts of the sets from `first` on that fit a block; returns the set after the last."""
    limits, start, links, offset = scan.limits, scan.start, scan.links, scan.offset
    bits = 0
    for one in range(first, scan.sets.total):
        digits = 0
        for link in range(start[one], start[one + 1]):
            if links[link, 0] > one or not limits[FORWARD]:
                digits |= links[link, 1]
        if bits + count_ones(digits) > BLOCK_BITS:
            return one
        offset[one] = bits
        scan.begun[one] = digits
        bits += count_ones(digits)
        offset[one + 1] = bits
    return scan.sets.total


@kernel
def _grow(scan: Chains, first: int, last_set: int, layers: Layers) -> int:
    """Fill `layers` from 1 on for the starts of a block; returns the last layer that isn't empty.

    From layer 3 on, a state is only entered by what is new there, so that each end is reached by its shortest
    walk of at least three links (fewer make a wing).
    """
    limits, start, links, states, offset = scan.limits, scan.start, scan.links, scan.states, scan.offset
    words = layers.shape[2]
    done = np.zeros((layers.shape[1], words), dtype=np.int64)
    own = np.zeros(words, dtype=np.int64)
    holding = np.empty(words, dtype=np.int32)
    leaving = np.empty((9, words), dtype=np.int64)  # by digit, the starts that entered a set by another digit
    layers[1] = 0
    for one in range(first, last_set):
        for link in range(start[one], start[one + 1]):
            if links[link, 0] < one and limits[FORWARD]:
                continue
            bit = int(offset[one])
            for digit in range(9):
                if links[link, 1] >> digit & 1:
                    state = states[9 * links[link, 0] + digit]
                    layers[1, state, bit // ROW_BITS] |= 1 << bit % ROW_BITS
                bit += int(scan.begun[one] >> digit & 1)
    depth = 1
    while depth + 1 < len(layers):
        grown = np.int64(0)
        layers[depth + 1] = 0
        for one in range(scan.sets.total):
            held = 0  # words with a start in them: most have none
            for word in range(words if start[one] < start[one + 1] else 0):
                once = np.int64(0)
                twice = np.int64(0)
                for state in range(states[9 * one], states[9 * one + 9]):
                    twice |= once & layers[depth, state, word]
                    once |= layers[depth, state, word]
                if once == 0:
                    continue
                holding[held] = word
                for digit in range(9):
                    leaving[digit, held] = once
                    for state in range(states[9 * one + digit], states[9 * one + digit + 1]):
                        leaving[digit, held] = twice | once & ~layers[depth, state, word]
                held += 1
            if held == 0:
                continue
            for link in range(start[one], start[one + 1]):
                if links[link, 0] < one and limits[FORWARD]:
                    continue
                rest = links[link, 1]
                while rest:
                    digit = trailing_zeros(rest)
                    rest &= rest - 1
                    state = states[9 * links[link, 0] + digit]
                    for index in range(held):
                        layers[depth + 1, state, holding[index]] |= leaving[digit, index]
        # No walk returns to its start, nor reaches a state later than it could.
        for one in range(scan.sets.total):
            own[:] = 0
            if first <= one < last_set:
                for bit in range(offset[one], offset[one + 1]):
                    own[bit // ROW_BITS] |= 1 << bit % ROW_BITS
            for state in range(states[9 * one], states[9 * one + 9]):
                for word in range(words):
                    new = layers[depth + 1, state, word] & ~own[word] & ~done[state, word]
                    layers[depth + 1, state, word] = new
                    grown |= new
                    if depth >= 2:
                        done[state, word] |= new
        if grown == 0:
            return depth
        depth += 1
    return depth


@kernel
def _walk_back(scan: Chains, layers: Layers, depth: int, bit: int) -> bool:
    """Find a walk without repetition that ends as chain[depth] says; False if there is none.

    The start, which is `bit`, and set and digit of chain[depth] are input, those between are output.
    """
    start, links, states, chain = scan.start, scan.links, scan.states, scan.chain
    at = depth
    chain[at, 2] = 9 * start[chain[at, 0]]
    while at <= depth:
        if at == 1:
            return True
        found = False
        while chain[at, 2] < 9 * start[chain[at, 0] + 1] and not found:
            link = chain[at, 2] // 9
            digit = chain[at, 2] % 9
            chain[at, 2] += 1
            scan.spent[0] += 1
            one = links[link, 0]
            if (
                digit == chain[at, 1]
                or not links[link, 1] >> chain[at, 1] & 1
                or (scan.limits[FORWARD] and one > chain[at, 0])
                or states[9 * one + digit] == states[9 * one + digit + 1]
                or not layers[at - 1, states[9 * one + digit], bit // ROW_BITS] >> bit % ROW_BITS & 1
            ):
                continue
            fresh = one != chain[0, 0]
            for later in range(at, depth + 1):
                fresh = fresh and chain[later, 0] != one
            if fresh:
                at -= 1
                chain[at, 0] = one
                chain[at, 1] = digit
                chain[at, 2] = 9 * start[one]
                found = True
        if not found:
            at += 1
    return False


@kernel
def _put_chain(scan: Chains, depth: int) -> None:
    sets, out, chain = scan.sets, scan.out, scan.chain
    for number in range(depth + 1):
        put_set(out, sets.position, sets.table, chain[number, 0], ALS + number)
    for number in range(1, depth + 1):
        _put_common(out, sets, chain[number - 1, 0], chain[number, 0], 1 << chain[number, 1])


@kernel
def scan_als_xy_chain(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find four or more sets, each linked to the next by another digit than to the last, as in the wing.

    Returns the shortest chain for every pair of ends and the digits they are linked by. HoDoKu keeps both
    digits of a doubly linked end out of the eliminations; that form is written too, since it may have other
    effects.
    """
    sets = sets_of(position)
    table, count = sets.table, sets.total
    if count < 0:
        out[FULL] = PAST_BOUND
        return
    start, offset = np.empty(count + 1, dtype=np.int32), np.empty(count + 1, dtype=np.int32)
    links = _links(sets, limits, start)
    states = np.zeros(9 * count + 1, dtype=np.int32)
    for place in range(9 * count):
        states[place + 1] = states[place] + (table[place // 9, ALS_DIGITS] >> place % 9 & 1)
    begun, chain = np.empty(count, dtype=np.int32), np.empty((limits[MOST_SETS], 3), dtype=np.int32)
    spent, seen, hits = np.zeros(1, dtype=np.int64), new_seen(mode), np.empty(27, dtype=np.int32)
    scan = Chains(sets, limits, mode, out, start, links, states, offset, begun, chain, spent, seen, hits)
    # Ten rows a set, of the sets where a chain that passes on a digit may end.
    ends = np.empty((10 * count, sets.seen.shape[1]), dtype=np.int64)
    for one in range(count):
        seen_by_both(sets, one, ends, 10 * one)
    first = 0
    while first < count:
        last_set = _begin_block(scan, first)
        bits = offset[last_set]
        words = (bits + ROW_BITS - 1) // ROW_BITS
        layers = np.empty((limits[MOST_SETS], states[9 * count], words), dtype=np.int64)
        last = _grow(scan, first, last_set, layers)
        reached = np.empty((bits, ends.shape[1]), dtype=np.int64)
        # The shortest first, so that few are written and then replaced
        for depth in range(3, last + 1):
            _turn_round(states, layers, depth, count, reached)
            for origin in range(first, last_set):
                if spent[0] > limits[BOUND]:
                    out[FULL] = PAST_BOUND
                    return
                bit = int(offset[origin])
                for handed in range(9):
                    if not begun[origin] >> handed & 1:
                        continue
                    chain[0, 0] = origin
                    chain[0, 1] = handed
                    some = np.int64(0)
                    for word in range(reached.shape[1]):
                        reached[bit, word] &= ends[10 * origin + handed, word]
                        some |= reached[bit, word]
                    if some and _end_chains(scan, layers, reached, depth, bit):
                        return
                    bit += 1
        first = last_set


@kernel
def _end_chains(scan: Chains, layers: Layers, reached: Rows, depth: int, bit: int) -> bool:
    """Find every chain of `depth` links from the start `bit` that removes something; True to stop.

    chain[0] is the start; the rest is output. reached: the sets it may end in.
    """
    mode, out, table, states, chain = scan.mode, scan.out, scan.sets.table, scan.states, scan.chain
    origin, handed, hits = chain[0, 0], chain[0, 1], scan.hits
    end = _next_set(reached, bit, 0)
    while end >= 0:
        here = end
        end = _next_set(reached, bit, end + 1)
        for entered in range(9):
            state = states[9 * here + entered]
            if state == states[9 * here + entered + 1]:
                continue
            if not layers[depth, state, bit // ROW_BITS] >> bit % ROW_BITS & 1:
                continue
            linked = 1 << handed | 1 << entered
            if not _seen_by_both(table, origin, here, ~linked, hits):
                continue
            chain[depth, 0] = here
            chain[depth, 1] = entered
            begin(out, scan.limits[KEY], 0, linked, depth + 1)
            put_hits(out, scan.sets.position, hits)
            if drop_longer(out, mode, scan.seen):
                continue
            if not _walk_back(scan, layers, depth, bit):
                discard(out)
                continue
            _put_chain(scan, depth)
            if commit_shortest(out, mode, scan.seen):
                return True
            both = 0  # the digits that link the last two sets, but for the one that enters the former
            for link in range(scan.start[chain[depth - 1, 0]], scan.start[chain[depth - 1, 0] + 1]):
                if scan.links[link, 0] == here:
                    both = int(scan.links[link, 1]) & ~(1 << chain[depth - 1, 1])
            if both & (both - 1) and _seen_by_both(table, origin, here, ~(linked | both), hits):
                begin(out, scan.limits[KEY], 0, linked | both, depth + 1)
                put_hits(out, scan.sets.position, hits)
                _put_chain(scan, depth)
                if commit_shortest(out, mode, scan.seen):
                    return True
    return False


@kernel
def _turn_round(states: Words, layers: Layers, depth: int, count: int, reached: Rows) -> None:
    """Write for each start the sets that it leads to in a layer to `reached`."""
    reached[:, :] = 0
    for one in range(count):
        for word in range(layers.shape[2]):
            beginnings = 0
            for state in range(states[9 * one], states[9 * one + 9]):
                beginnings |= int(layers[depth, state, word])
            while beginnings:
                bit = ROW_BITS * word + trailing_zeros(beginnings)
                reached[bit, one // ROW_BITS] |= 1 << one % ROW_BITS
                beginnings &= beginnings - 1


_als = partial(
    Technique,
    family=Family.ALMOST_LOCKED_SETS,
    tier=5,
)
_PAIRS: Final = 100_000_000  # of sets, linked to each other or to a third

ENTRIES: Final = (
    _als(
        "als_xz",
        N_("ALS-XZ"),
        scan=scan_als,
        bound=_PAIRS,
        limits={"overlap": 1, "kinds": OF_TWO},
        paths={"hodoku": {"overlap": 0}},
        together={"kinds": OF_TWO | OF_THREE},
    ),
    _als(
        "als_xy_wing",
        N_("ALS-XY-Wing"),
        scan=scan_als,
        bound=_PAIRS,
        limits={"overlap": 1, "kinds": OF_THREE},
        paths={"hodoku": {"overlap": 0}},
        found_by="als_xz",
    ),
    _als(
        "als_xy_chain",
        N_("ALS Chain"),
        scan=scan_als_xy_chain,
        bound=100_000_000,  # sets visited on the way back along a chain
        limits={"overlap": 1, "als": 16},
        paths={"logic": {"overlap": 0, "als": 6}, "hodoku": {"overlap": 0, "als": 51, "forward": 1}},
    ),
)
