"""Almost locked sets joined by restricted commons: two (als_xz), three (als_xy_wing) or a longer chain.

A set of n cells with n + 1 digits that lacks one of them holds all the others. A digit that cannot be true in
both of two sets (their restricted common) therefore is what the second lacks once the first holds it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.almost_locked import (
    ALS_DIGITS,
    ALS_ROOM,
    ALS_WIDTH,
    HOMES,
    SEERS,
    WORDS,
    AlsTable,
    collect_almost_locked,
    overlap,
    restricted_commons,
)
from engine.kernels.bits import trailing_zeros
from engine.kernels.effects import Hits, commit_shortest, new_seen, put_hits
from engine.kernels.state import CANDIDATES, State
from engine.kernels.steps import FULL, Steps, begin, put_cell, put_house
from engine.techniques.entry import ALS, SHOWN, Technique
from engine.techniques.limits import ALS as MOST_SETS
from engine.techniques.limits import BOUND, FORWARD, KEY, OVERLAP, Limits

Words = NDArray[np.int32]


@kernel
def put_set(position: State, out: Steps, table: AlsTable, row: int, number: int) -> None:
    """The cells of a set, with all their candidates, as almost locked set `number` of the proof."""
    for band in range(3):
        word = table[row, WORDS + band]
        while word:
            cell = 27 * band + trailing_zeros(word)
            put_cell(out, ALS + number, position[CANDIDATES + cell], cell)
            word &= word - 1


@kernel
def put_common(out: Steps, table: AlsTable, one: int, other: int, digits: int) -> None:
    """The houses where the restricted commons `digits` of two sets lie, a digit each."""
    while digits:
        digit = trailing_zeros(digits)
        homes = table[one, HOMES + digit] & table[other, HOMES + digit]
        put_house(out, SHOWN, 1 << digit, trailing_zeros(homes))
        digits &= digits - 1


@kernel
def _first_two(digits: int) -> int:
    """The two lowest digits of a mask."""
    rest = digits & (digits - 1)
    return digits & ~(rest & (rest - 1))


@kernel
def _seen_by_both(table: AlsTable, one: int, other: int, digits: int, hits: Hits) -> bool:
    """Set `hits` to the candidates among `digits` that see every such candidate of both sets; if any."""
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
def _hit_locked(table: AlsTable, one: int, other: int, linked: int, hits: Hits) -> None:
    """Add what set `one` clears as it is locked, outside set `other`; `linked` are the digits it may lack."""
    rest = table[one, ALS_DIGITS] & ~linked
    while rest:
        digit = trailing_zeros(rest)
        rest &= rest - 1
        for band in range(3):
            hits[3 * digit + band] |= table[one, SEERS + 3 * digit + band] & ~table[other, WORDS + band]


@kernel
def scan_als_xz(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Two sets with a restricted common: one of them holds every other digit they share.

    With two restricted commons each set lacks exactly one of the two and is locked apart from them.
    """
    table = np.empty((ALS_ROOM, ALS_WIDTH), dtype=np.int32)
    count = collect_almost_locked(position, table)
    if count < 0:
        out[FULL] = 1
        return
    seen = new_seen(mode)
    hits = np.empty(27, dtype=np.int32)
    for one in range(count):
        for other in range(one + 1, count):
            digits = restricted_commons(position, table, one, other)
            if digits == 0 or (not limits[OVERLAP] and overlap(table, one, other)):
                continue
            digits = _first_two(digits)
            if digits & (digits - 1):
                _seen_by_both(table, one, other, 511, hits)
                _hit_locked(table, one, other, digits, hits)
                _hit_locked(table, other, one, digits, hits)
            elif not _seen_by_both(table, one, other, ~digits, hits):
                continue
            begin(out, limits[KEY], 0, digits, 2)
            put_hits(out, position, hits)
            put_set(position, out, table, one, 0)
            put_set(position, out, table, other, 1)
            put_common(out, table, one, other, digits)
            if commit_shortest(out, mode, seen):
                return


@kernel
def _links(position: State, limits: Limits, table: AlsTable, count: int, start: Words) -> Words:
    """The links between sets, int32[total, 2]: the other set and its (first two) restricted commons.

    start: int32[count + 1], written: the links of set i are start[i]..start[i + 1], ascending. With
    limits[FORWARD] each link stands with its lower set only.
    """
    commons = np.zeros((count, count), dtype=np.int16)
    total = 0
    for one in range(count):
        for other in range(one + 1, count):
            digits = restricted_commons(position, table, one, other)
            if digits and (limits[OVERLAP] or not overlap(table, one, other)):
                commons[one, other] = _first_two(digits)
                total += 1
                if not limits[FORWARD]:
                    commons[other, one] = commons[one, other]
                    total += 1
    links = np.empty((total, 2), dtype=np.int32)
    total = 0
    for one in range(count):
        start[one] = total
        for other in range(count):
            if commons[one, other]:
                links[total, 0] = other
                links[total, 1] = commons[one, other]
                total += 1
    start[count] = total
    return links


@kernel
def _one_holds_other(table: AlsTable, one: int, other: int) -> bool:
    """Whether the cells of one of two sets are among the other's."""
    more = 0
    less = 0
    for band in range(3):
        more |= table[one, WORDS + band] & ~table[other, WORDS + band]
        less |= table[other, WORDS + band] & ~table[one, WORDS + band]
    return more == 0 or less == 0


@kernel
def scan_als_xy_wing(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """A pivot set linked to two others by different digits: one of them holds each other digit they share."""
    table = np.empty((ALS_ROOM, ALS_WIDTH), dtype=np.int32)
    count = collect_almost_locked(position, table)
    if count < 0:
        out[FULL] = 1
        return
    start = np.empty(count + 1, dtype=np.int32)
    links = _links(position, limits, table, count, start)
    seen = new_seen(mode)
    hits = np.empty(27, dtype=np.int32)
    for pivot in range(count):
        for first in range(start[pivot], start[pivot + 1]):
            one = links[first, 0]
            for second in range(first + 1, start[pivot + 1]):
                other = links[second, 0]
                x = links[first, 1]
                y = links[second, 1]
                if (x == y and x & (x - 1) == 0) or not _seen_by_both(table, one, other, ~(x | y), hits):
                    continue
                if (not limits[OVERLAP] and overlap(table, one, other)) or _one_holds_other(
                    table, one, other
                ):
                    continue
                begin(out, limits[KEY], 0, x | y, 3)
                put_hits(out, position, hits)
                put_set(position, out, table, one, 0)
                put_set(position, out, table, pivot, 1)
                put_set(position, out, table, other, 2)
                put_common(out, table, one, pivot, x)
                put_common(out, table, pivot, other, y)
                if commit_shortest(out, mode, seen):
                    return


# The chain search from one set: which digits the start may hand on (nine bits) such that a walk of so many
# links ends in state 9 * set + digit, the digit being the one it was entered by.
Layers = NDArray[np.int16]  # [links + 1, 9 * sets]
Spent = NDArray[np.int64]


@kernel
def _grow(count: int, start: Words, links: Words, origin: int, layers: Layers, done: Words) -> int:
    """Fill `layers` from 1 on for walks from set `origin`; the last layer that is not empty.

    done: int32[9 * sets], scratch. A state is entered again in a layer from 3 on only by what is new there,
    so that each end is reached by its shortest walk of three links or more (fewer make a pair or a wing).
    """
    layers[1:, :] = 0
    done[:] = 0
    for link in range(start[origin], start[origin + 1]):
        for digit in range(9):
            if links[link, 1] >> digit & 1:
                layers[1, 9 * links[link, 0] + digit] = 1 << digit
    depth = 1
    while depth + 1 < len(layers):
        grown = False
        for one in range(count):
            for entered in range(9):
                handed = layers[depth, 9 * one + entered]
                if handed == 0:
                    continue
                for link in range(start[one], start[one + 1]):
                    if links[link, 0] == origin:
                        continue
                    rest = links[link, 1] & ~(1 << entered)
                    while rest:
                        state = 9 * links[link, 0] + trailing_zeros(rest)
                        rest &= rest - 1
                        new = handed if depth + 1 < 3 else handed & ~done[state]
                        if new & ~layers[depth + 1, state]:
                            layers[depth + 1, state] |= new
                            grown = True
        if not grown:
            return depth
        depth += 1
        if depth >= 3:
            for state in range(9 * count):
                done[state] |= layers[depth, state]
    return depth


@kernel
def _walk_back(
    count: int,
    start: Words,
    links: Words,
    layers: Layers,
    depth: int,
    handed: int,
    chain: Words,
    spent: Spent,
) -> bool:
    """Find a walk without repetition that ends as chain[depth] says; False where there is none.

    chain: int32[links + 1, 3]: set, digit it was entered by, and how far the search back of it is. The start
    and set and digit of chain[depth] are given, those between are written. `handed` is the start's digit.
    spent: int64[1], counts the states looked at.
    """
    at = depth
    chain[at, 2] = 0
    while at <= depth:
        if at == 1:
            return True
        found = False
        while chain[at, 2] < 9 * count and not found:
            state = chain[at, 2]
            chain[at, 2] += 1
            spent[0] += 1
            one = state // 9
            digit = state % 9
            if digit == chain[at, 1] or not layers[at - 1, state] >> handed & 1:
                continue
            linked = False
            for link in range(start[one], start[one + 1]):
                if links[link, 0] == chain[at, 0] and links[link, 1] >> chain[at, 1] & 1:
                    linked = True
            for later in range(at, depth + 1):
                linked = linked and chain[later, 0] != one
            if linked:
                at -= 1
                chain[at, 0] = one
                chain[at, 1] = digit
                chain[at, 2] = 0
                found = True
        if not found:
            at += 1
    return False


@kernel
def _put_chain(position: State, out: Steps, table: AlsTable, depth: int, chain: Words) -> None:
    for number in range(depth + 1):
        put_set(position, out, table, chain[number, 0], number)
    for number in range(1, depth + 1):
        put_common(out, table, chain[number - 1, 0], chain[number, 0], 1 << chain[number, 1])


@kernel
def scan_als_xy_chain(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Four sets or more, each linked to the next by another digit than to the last: as with the wing.

    For every pair of ends and the digits they are linked by, the shortest chain. HoDoKu keeps both digits of
    a doubly linked end out of the eliminations; that form is written too, since it may have other effects.
    """
    table = np.empty((ALS_ROOM, ALS_WIDTH), dtype=np.int32)
    count = collect_almost_locked(position, table)
    if count < 0:
        out[FULL] = 1
        return
    start = np.empty(count + 1, dtype=np.int32)
    links = _links(position, limits, table, count, start)
    layers = np.empty((limits[MOST_SETS], 9 * count), dtype=np.int16)
    done = np.empty(9 * count, dtype=np.int32)
    spent = np.zeros(1, dtype=np.int64)
    chain = np.empty((limits[MOST_SETS], 3), dtype=np.int32)
    seen = new_seen(mode)
    hits = np.empty(27, dtype=np.int32)
    for origin in range(count):
        if spent[0] > limits[BOUND]:
            out[FULL] = 1
            return
        last = _grow(count, start, links, origin, layers, done)
        chain[0, 0] = origin
        for end in range(count):
            if end == origin or not _seen_by_both(table, origin, end, 511, hits):
                continue
            for entered in range(9):
                both = 0  # digits of a doubly linked end
                for depth in range(3, last + 1):
                    rest = int(layers[depth, 9 * end + entered])
                    while rest:
                        handed = trailing_zeros(rest)
                        rest &= rest - 1
                        linked = 1 << handed | 1 << entered
                        if not _seen_by_both(table, origin, end, ~linked, hits):
                            continue
                        chain[depth, 0] = end
                        chain[depth, 1] = entered
                        if not _walk_back(count, start, links, layers, depth, handed, chain, spent):
                            continue
                        begin(out, limits[KEY], 0, linked, depth + 1)
                        put_hits(out, position, hits)
                        _put_chain(position, out, table, depth, chain)
                        if commit_shortest(out, mode, seen):
                            return
                        both = _last_link(start, links, chain[depth - 1, 0], end) & ~(
                            1 << chain[depth - 1, 1]
                        )
                        if both & (both - 1) and _seen_by_both(table, origin, end, ~(linked | both), hits):
                            begin(out, limits[KEY], 0, linked | both, depth + 1)
                            put_hits(out, position, hits)
                            _put_chain(position, out, table, depth, chain)
                            if commit_shortest(out, mode, seen):
                                return


@kernel
def _last_link(start: Words, links: Words, one: int, other: int) -> int:
    """The digits that link set `one` to `other`."""
    for link in range(start[one], start[one + 1]):
        if links[link, 0] == other:
            return int(links[link, 1])
    return 0


ENTRIES: Final = (
    Technique("als_xz", scan_als_xz),
    Technique("als_xy_wing", scan_als_xy_wing),
    Technique("als_xy_chain", scan_als_xy_chain),
)
