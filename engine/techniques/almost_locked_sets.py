"""Almost locked sets joined by restricted commons: two (als_xz), three (als_xy_wing) or a longer chain.

A set of n cells with n + 1 digits that lacks one of them holds all the others. A digit that cannot be true in
both of two sets (their restricted common) therefore is what the second lacks once the first holds it.
"""

from __future__ import annotations

from functools import partial
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
    columns_of,
    overlap,
    put_set,
    restricted_commons,
    seen_by_both,
)
from engine.kernels.bits import count_ones, trailing_zeros
from engine.kernels.effects import Hits, Seen, commit_shortest, drop_longer, new_seen, put_hits
from engine.kernels.state import State
from engine.kernels.steps import FULL, PAST_BOUND, Steps, begin, discard, put_house
from engine.techniques.entry import ALS, N_, SHORT, SHOWN, Family, Technique, Trait
from engine.techniques.limits import ALS as MOST_SETS
from engine.techniques.limits import BOUND, FORWARD, KEY, OVERLAP, Limits

Words = NDArray[np.int32]
Spent = NDArray[np.int64]


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
        out[FULL] = PAST_BOUND
        return
    seen = new_seen(mode)
    hits = np.empty(27, dtype=np.int32)
    columns = columns_of(table, count)
    for one in range(count):
        commons = restricted_commons(position, columns, one, limits[OVERLAP] != 0)
        for other in range(one + 1, count):
            if commons[other - one - 1] == 0:
                continue
            digits = _first_two(commons[other - one - 1])
            if digits & (digits - 1):
                _seen_by_both(table, one, other, 511, hits)
                _hit_locked(table, one, other, digits, hits)
                _hit_locked(table, other, one, digits, hits)
            elif not _seen_by_both(table, one, other, ~digits, hits):
                continue
            begin(out, limits[KEY], 0, digits, 2)
            put_hits(out, position, hits)
            put_set(out, position, table, one, ALS)
            put_set(out, position, table, other, ALS + 1)
            put_common(out, table, one, other, digits)
            if commit_shortest(out, mode, seen):
                return


@kernel
def _links(position: State, limits: Limits, table: AlsTable, count: int, start: Words) -> Words:
    """The links between sets, int32[total, 2]: the other set and its (first two) restricted commons.

    start: int32[count + 1], written: the links of set i are start[i]..start[i + 1], ascending.
    """
    columns = columns_of(table, count)
    commons = np.empty((count, count), dtype=np.int32)
    linked = np.zeros((count, (count + WORD_BITS - 1) // WORD_BITS), dtype=np.int64)
    total = 0
    for one in range(count):
        digits = restricted_commons(position, columns, one, limits[OVERLAP] != 0)
        commons[one, one + 1 :] = digits
        total += _add_pairs(digits, one, linked)
    links = np.empty((2 * total, 2), dtype=np.int32)
    total = 0
    for one in range(count):
        start[one] = total
        other = _next_set(linked, one, linked, one, 0)
        while other >= 0:
            links[total, 0] = other
            links[total, 1] = _first_two(commons[min(one, other), max(one, other)])
            total += 1
            other = _next_set(linked, one, linked, one, other + 1)
    start[count] = total
    return links


@kernel
def _add_pairs(found: Words, one: int, pairs: Sets) -> int:
    """Pair set `one`, in both their rows of `pairs`, with each later set that has something in `found`.

    found: the first is of set `one` + 1.  Returns how many these are.
    """
    count = 0
    for first in range(0, len(found), WORD_BITS):
        part = found[first : first + WORD_BITS]
        bits = 0
        for at in range(len(part)):
            bits |= int(part[at] != 0) << at  # no branch: vector code
        while bits:
            other = one + 1 + first + trailing_zeros(bits)
            bits &= bits - 1
            pairs[one, other // WORD_BITS] |= np.int64(1) << other % WORD_BITS
            pairs[other, one // WORD_BITS] |= np.int64(1) << one % WORD_BITS
            count += 1
    return count


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
    """A pivot set linked to two others by different digits: one of them holds each other digit they share.

    Past limits[BOUND] pairs of others FULL is raised.
    """
    table = np.empty((ALS_ROOM, ALS_WIDTH), dtype=np.int32)
    count = collect_almost_locked(position, table)
    if count < 0:
        out[FULL] = PAST_BOUND
        return
    start = np.empty(count + 1, dtype=np.int32)
    links = _links(position, limits, table, count, start)
    seen = new_seen(mode)
    hits = np.empty(27, dtype=np.int32)
    spent = 0
    for pivot in range(count):
        for first in range(start[pivot], start[pivot + 1]):
            spent += start[pivot + 1] - first - 1
            if spent > limits[BOUND]:
                out[FULL] = PAST_BOUND
                return
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
                put_set(out, position, table, one, ALS)
                put_set(out, position, table, pivot, ALS + 1)
                put_set(out, position, table, other, ALS + 2)
                put_common(out, table, one, pivot, x)
                put_common(out, table, pivot, other, y)
                if commit_shortest(out, mode, seen):
                    return


# The chain search. A beginning is a set and the digit it hands on: one bit of a row, WORD_BITS a word.
# A state is 9 * set + the digit the set was entered by. Layer n tells for each state which beginnings lead
# there in n links, so that all beginnings of a block are followed at once.
WORD_BITS: Final = 60
BLOCK_BITS: Final = 16 * WORD_BITS

Rows = NDArray[np.int64]
Layers = NDArray[np.int64]  # [links + 1, 9 * sets, words]
Sets = NDArray[np.int64]  # [n, words] sets of almost locked sets, WORD_BITS a word


@kernel
def _begin_block(
    limits: Limits,
    count: int,
    start: Words,
    links: Words,
    first: int,
    offset: Words,
    begun: Words,
    last_set: Words,
) -> int:
    """Number the beginnings of the sets from `first` on that fit a block; how many there are.

    offset: int32[count + 1], written: where the bits of a set start. begun: int32[count], written: the digits
    it can hand on. last_set: int32[1], written: the set after the last one of the block.
    """
    bits = 0
    for one in range(first, count):
        digits = 0
        for link in range(start[one], start[one + 1]):
            if links[link, 0] > one or not limits[FORWARD]:
                digits |= links[link, 1]
        if bits + count_ones(digits) > BLOCK_BITS:
            break
        offset[one] = bits
        begun[one] = digits
        bits += count_ones(digits)
        last_set[0] = one + 1
        offset[one + 1] = bits
    return bits


@kernel
def _grow(
    limits: Limits,
    count: int,
    start: Words,
    links: Words,
    first: int,
    last_set: int,
    offset: Words,
    begun: Words,
    layers: Layers,
    done: Rows,
) -> int:
    """Fill `layers` from 1 on for the beginnings of a block; the last layer that is not empty.

    done: int64[9 * sets, words], scratch. A state is entered again in a layer from 3 on only by what is new
    there, so that each end is reached by its shortest walk of at least three links (fewer make a wing).
    """
    words = layers.shape[2]
    own = np.zeros(words, dtype=np.int64)
    holding = np.empty(words, dtype=np.int32)
    done[:, :] = 0
    layers[1] = 0
    for one in range(first, last_set):
        for link in range(start[one], start[one + 1]):
            if links[link, 0] < one and limits[FORWARD]:
                continue
            bit = int(offset[one])
            for digit in range(9):
                if links[link, 1] >> digit & 1:
                    layers[1, 9 * links[link, 0] + digit, bit // WORD_BITS] |= 1 << bit % WORD_BITS
                bit += int(begun[one] >> digit & 1)
    depth = 1
    while depth + 1 < len(layers):
        grown = np.int64(0)
        layers[depth + 1] = 0
        for one in range(count):
            for entered in range(9):
                held = 0  # words with a beginning in them: most have none
                for word in range(words):
                    if layers[depth, 9 * one + entered, word]:
                        holding[held] = word
                        held += 1
                if held == 0:
                    continue
                for link in range(start[one], start[one + 1]):
                    if links[link, 0] < one and limits[FORWARD]:
                        continue
                    rest = links[link, 1] & ~(1 << entered)
                    while rest:
                        state = 9 * links[link, 0] + trailing_zeros(rest)
                        rest &= rest - 1
                        for index in range(held):
                            word = holding[index]
                            layers[depth + 1, state, word] |= layers[depth, 9 * one + entered, word]
        # No walk returns to where it began, nor reaches a state later than it could.
        for one in range(count):
            own[:] = 0
            if first <= one < last_set:
                for bit in range(offset[one], offset[one + 1]):
                    own[bit // WORD_BITS] |= 1 << bit % WORD_BITS
            for state in range(9 * one, 9 * one + 9):
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
def _walk_back(
    limits: Limits,
    start: Words,
    links: Words,
    layers: Layers,
    depth: int,
    bit: int,
    chain: Words,
    spent: Spent,
) -> bool:
    """Find a walk without repetition that ends as chain[depth] says; False where there is none.

    chain: int32[links + 1, 3]: set, digit it was entered by, and how far the search back of it is. The start
    and set and digit of chain[depth] are given, those between are written. `bit` is the beginning.
    spent: int64[1], counts the states looked at.
    """
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
            spent[0] += 1
            one = links[link, 0]
            if (
                digit == chain[at, 1]
                or not links[link, 1] >> chain[at, 1] & 1
                or (limits[FORWARD] and one > chain[at, 0])
                or not layers[at - 1, 9 * one + digit, bit // WORD_BITS] >> bit % WORD_BITS & 1
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
def _put_chain(position: State, out: Steps, table: AlsTable, depth: int, chain: Words) -> None:
    for number in range(depth + 1):
        put_set(out, position, table, chain[number, 0], ALS + number)
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
        out[FULL] = PAST_BOUND
        return
    start = np.empty(count + 1, dtype=np.int32)
    links = _links(position, limits, table, count, start)
    chain = np.empty((limits[MOST_SETS], 3), dtype=np.int32)
    offset = np.empty(count + 1, dtype=np.int32)
    begun = np.empty(count, dtype=np.int32)
    last_set = np.empty(1, dtype=np.int32)
    spent = np.zeros(1, dtype=np.int64)
    ends = _find_ends(table, count)
    seen = new_seen(mode)
    first = 0
    while first < count:
        bits = _begin_block(limits, count, start, links, first, offset, begun, last_set)
        words = (bits + WORD_BITS - 1) // WORD_BITS
        layers = np.empty((limits[MOST_SETS], 9 * count, words), dtype=np.int64)
        done = np.empty((9 * count, words), dtype=np.int64)
        last = _grow(limits, count, start, links, first, last_set[0], offset, begun, layers, done)
        reached = np.empty((bits, ends.shape[1]), dtype=np.int64)
        for links_of_chain in range(3, last + 1):  # the shortest first: few are written and then replaced
            _turn_round(layers, links_of_chain, count, reached)
            for origin in range(first, last_set[0]):
                if spent[0] > limits[BOUND]:
                    out[FULL] = PAST_BOUND
                    return
                bit = int(offset[origin])
                for handed in range(9):
                    if not begun[origin] >> handed & 1:
                        continue
                    chain[0, 0] = origin
                    chain[0, 1] = handed
                    if _end_chains(
                        position,
                        limits,
                        mode,
                        out,
                        table,
                        start,
                        links,
                        layers,
                        ends,
                        reached,
                        links_of_chain,
                        bit,
                        chain,
                        spent,
                        seen,
                    ):
                        return
                    bit += 1
        first = last_set[0]


@kernel
def _end_chains(
    position: State,
    limits: Limits,
    mode: int,
    out: Steps,
    table: AlsTable,
    start: Words,
    links: Words,
    layers: Layers,
    ends: Sets,
    reached: Sets,
    depth: int,
    bit: int,
    chain: Words,
    spent: Spent,
    seen: Seen,
) -> bool:
    """Every chain of `depth` links from the beginning `bit` that removes something; True to stop.

    chain[0] holds the beginning; the rest is written.
    """
    hits = np.empty(27, dtype=np.int32)
    origin = chain[0, 0]
    handed = chain[0, 1]
    end = _next_set(reached, bit, ends, origin, 0)
    while end >= 0:
        here = end
        end = _next_set(reached, bit, ends, origin, end + 1)
        for entered in range(9):
            if not layers[depth, 9 * here + entered, bit // WORD_BITS] >> bit % WORD_BITS & 1:
                continue
            linked = 1 << handed | 1 << entered
            if not _seen_by_both(table, origin, here, ~linked, hits):
                continue
            chain[depth, 0] = here
            chain[depth, 1] = entered
            begin(out, limits[KEY], 0, linked, depth + 1)
            put_hits(out, position, hits)
            if drop_longer(out, mode, seen):
                continue
            if not _walk_back(limits, start, links, layers, depth, bit, chain, spent):
                discard(out)
                continue
            _put_chain(position, out, table, depth, chain)
            if commit_shortest(out, mode, seen):
                return True
            both = _last_link(start, links, chain[depth - 1, 0], here) & ~(1 << chain[depth - 1, 1])
            if both & (both - 1) and _seen_by_both(table, origin, here, ~(linked | both), hits):
                begin(out, limits[KEY], 0, linked | both, depth + 1)
                put_hits(out, position, hits)
                _put_chain(position, out, table, depth, chain)
                if commit_shortest(out, mode, seen):
                    return True
    return False


@kernel
def _turn_round(layers: Layers, depth: int, count: int, reached: Sets) -> None:
    """Write to `reached` for each beginning the sets that a layer says it leads to."""
    reached[:, :] = 0
    for one in range(count):
        for word in range(layers.shape[2]):
            beginnings = 0
            for state in range(9 * one, 9 * one + 9):
                beginnings |= int(layers[depth, state, word])
            while beginnings:
                bit = WORD_BITS * word + trailing_zeros(beginnings)
                reached[bit, one // WORD_BITS] |= 1 << one % WORD_BITS
                beginnings &= beginnings - 1


@kernel
def _next_set(sets: Sets, row: int, others: Sets, other_row: int, first: int) -> int:
    """The lowest set from number `first` on that stands in two rows; -1 without one."""
    word = first // WORD_BITS
    keep = (1 << WORD_BITS) - (1 << first % WORD_BITS)
    while word < sets.shape[1]:
        both = sets[row, word] & others[other_row, word] & keep
        if both:
            return WORD_BITS * word + trailing_zeros(both)
        word += 1
        keep = (1 << WORD_BITS) - 1
    return -1


@kernel
def _find_ends(table: AlsTable, count: int) -> Sets:
    """For each set those with which it has a digit that some candidate sees wherever it stands in both."""
    ends = np.zeros((count, (count + WORD_BITS - 1) // WORD_BITS), dtype=np.int64)
    columns = columns_of(table, count)
    for one in range(count):
        _add_pairs(seen_by_both(columns, one), one, ends)
    return ends


@kernel
def _last_link(start: Words, links: Words, one: int, other: int) -> int:
    """The digits that link set `one` to `other`."""
    for link in range(start[one], start[one + 1]):
        if links[link, 0] == other:
            return int(links[link, 1])
    return 0


_als = partial(
    Technique,
    family=Family.ALMOST_LOCKED_SETS,
    tier=5,
    traits=Trait.SETS_IN_A_ROW,
    limits={"overlap": 1},
)

ENTRIES: Final = (
    # No bound: two of at most ALS_ROOM sets.
    _als("als_xz", N_("ALS-XZ"), scan=scan_als_xz, bound=SHORT, paths={"hodoku": {"overlap": 0}}),
    _als(
        "als_xy_wing",
        N_("ALS-XY-Wing"),
        scan=scan_als_xy_wing,
        bound=100_000_000,  # pairs of sets linked to a third
        paths={"hodoku": {"overlap": 0}},
    ),
    _als(
        "als_xy_chain",
        N_("ALS Chain"),
        scan=scan_als_xy_chain,
        bound=100_000_000,  # sets looked at on the way back along a chain
        limits={"overlap": 1, "als": 16},
        paths={"logic": {"overlap": 0, "als": 6}, "hodoku": {"overlap": 0, "als": 51, "forward": 1}},
    ),
)
