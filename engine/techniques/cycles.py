"""The Explainer's static chains: cycles that work both ways round, assumptions that lead to their opposite.

Links inside one digit (X), inside cells of two candidates (Y), or both. The best of a position is the one
with the lowest rating, then the fewest literals, as the Explainer sorts them.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bits import count_ones, trailing_zeros
from engine.kernels.state import CANDIDATES, PLACES, State
from engine.kernels.state import CELLS as DIGIT_CELLS
from engine.kernels.steps import ALL, Steps, begin, commit, discard, put_link, put_placed, put_removed
from engine.kernels.tables import CELL_HOUSES, HOUSE_CELLS, PEER_WORDS, PLACE_IN, SEES
from engine.techniques.closure import Parts, closure_of, component_of, leads_to, no_closure, parts_of, within
from engine.techniques.entry import N_, SHORT, Family, Technique
from engine.techniques.graph import NODE_LITERALS, Graph, build, explore, forget
from engine.techniques.implications import (
    ASSUMED,
    BY_CELL,
    CAUSE,
    CELLS,
    COUNT,
    FIRST_PARENT,
    FIRST_RECORD,
    HOUSES,
    LITERAL,
    LITERALS,
    NOTHING,
    TOP,
    Arena,
    Row,
    length_rating,
    mark,
    put_marked,
    reset,
)
from engine.techniques.keys import NUMBER
from engine.techniques.limits import KINDS, Limits

# Kinds wanted, as bits of limits[KINDS].
X_CYCLE: Final = 1
Y_CYCLE: Final = 2
FORCING_X: Final = 4
CYCLE: Final = 8
FORCING: Final = 16

# By pass: only links of a digit, only cells, both.
KEY_OF_CYCLE: Final = np.array(
    [NUMBER["x_cycle"], NUMBER["y_cycle"], NUMBER["bidirectional_cycle"]], dtype=np.int32
)
KEY_OF_CHAIN: Final = np.array([NUMBER["forcing_x_chain"], 0, NUMBER["forcing_chain"]], dtype=np.int32)
CYCLE_KINDS: Final = np.array([X_CYCLE, Y_CYCLE, CYCLE], dtype=np.int32)
CHAIN_KINDS: Final = np.array([FORCING_X, 0, FORCING], dtype=np.int32)
CYCLE_BASE: Final = np.array([6.5, 6.5, 7.0])
CHAIN_BASE: Final = np.array([6.6, 99.0, 7.0])
LINKS: Final = np.array([HOUSES, CELLS, HOUSES | CELLS], dtype=np.int32)

LONGEST: Final = 4096  # more literals than any chain has


@kernel
def _strong_partners(position: State, cell: int, digit: int, links: int, partners: Row) -> int:
    """The off-literals that turn (cell, digit) on, each with its cause in `partners`; how many there are."""
    count = 0
    mask = position[CANDIDATES + cell] & ~(1 << digit)
    if links & CELLS and count_ones(mask) == 1:
        partners[0] = 2 * (9 * cell + trailing_zeros(mask))
        partners[1] = BY_CELL
        count = 1
    for turn in range(3):
        kind = 2 if turn == 0 else turn - 1
        house = CELL_HOUSES[cell, kind]
        rest = position[PLACES + 27 * digit + house] & ~(1 << PLACE_IN[cell, kind])
        if not links & HOUSES or count_ones(rest) != 1:
            continue
        literal = 2 * (9 * HOUSE_CELLS[house, trailing_zeros(rest)] + digit)
        known = False
        for index in range(count):
            known = known or partners[2 * index] == literal
        if not known:
            partners[2 * count] = literal
            partners[2 * count + 1] = house
            count += 1
    return count


@kernel
def _weak_cause(on: int, off: int) -> int:
    """Why the on-literal turns the off-literal off: a house, BY_CELL, or -1 where it does not."""
    cell, digit = (on >> 1) // 9, (on >> 1) % 9
    other, other_digit = (off >> 1) // 9, (off >> 1) % 9
    if cell == other:
        return BY_CELL if digit != other_digit else -1
    if digit != other_digit or not SEES[cell, other]:
        return -1
    for turn in range(3):
        kind = 2 if turn == 0 else turn - 1
        if CELL_HOUSES[cell, kind] == CELL_HOUSES[other, kind]:
            return int(CELL_HOUSES[cell, kind])
    return -1


@kernel
def _trace(arena: Arena, record: int, off: int, loop: Row) -> int:
    """The literals of the cycle start, ..., record, off in `loop`, which gets their number, or 0.

    loop: literal and cause of the link that leads to it, pair by pair.  0 where `off` explains `record`.
    """
    length: int = int(arena[record + COUNT])
    at = record
    for index in range(length - 1, -1, -1):
        if arena[at + LITERAL] == off:
            return 0
        loop[2 * index] = arena[at + LITERAL]
        loop[2 * index + 1] = arena[at + CAUSE]
        at = arena[at + FIRST_PARENT]
    loop[2 * length] = off
    return length + 1


@kernel
def _put_loop_removals(position: State, loop: Row, length: int, seen: Row, out: Steps) -> None:
    """Write what the cycle removes: candidates outside its cells that an on- and an off-literal of it see.

    seen: int32[2 * 27 + 3], scratch.
    """
    seen[:] = 0
    for index in range(length):
        literal = loop[2 * index]
        cell, digit = (literal >> 1) // 9, (literal >> 1) % 9
        seen[54 + cell // 27] |= 1 << (cell % 27)
        base = 27 * (literal & 1) + 3 * digit
        for band in range(3):
            seen[base + band] |= PEER_WORDS[cell, band]
    for digit in range(9):
        for band in range(3):
            both = seen[3 * digit + band] & seen[27 + 3 * digit + band]
            both &= position[DIGIT_CELLS + 3 * digit + band] & ~seen[54 + band]
            while both:
                put_removed(out, position, 27 * band + trailing_zeros(both), digit)
                both &= both - 1


@kernel
def _put_loop_links(loop: Row, length: int, closing: int, out: Steps) -> None:
    """Write the cycle as two branches: its first literal on, and then off with every link turned round."""
    put_link(out, NOTHING, loop[0], ASSUMED)
    for index in range(1, length):
        put_link(out, loop[2 * index - 2], loop[2 * index], loop[2 * index + 1])
    put_link(out, NOTHING, loop[0] ^ 1, ASSUMED)
    put_link(out, loop[0] ^ 1, loop[2 * length - 2] ^ 1, closing)
    for index in range(length - 1, 1, -1):
        put_link(out, loop[2 * index] ^ 1, loop[2 * index - 2] ^ 1, loop[2 * index + 1])


@kernel
def _removing(graph: Graph, parts: Parts) -> NDArray[np.bool_]:
    """Of each component, whether some candidate sees an on- and an off-literal of it, so that it may go."""
    found = np.zeros(parts.components, dtype=np.bool_)
    seen_on = np.full(parts.components, -1, dtype=np.int32)  # the last candidate that sees one
    seen_off = np.full(parts.components, -1, dtype=np.int32)
    for node in parts.nodes:
        for at in range(graph.weak_starts[node], graph.weak_starts[node + 1]):
            if graph.weak[at, 1] == BY_CELL:
                continue
            on = component_of(parts, 2 * graph.weak[at, 0] + 1)
            off = component_of(parts, 2 * graph.weak[at, 0])
            seen_on[on] = node
            seen_off[off] = node
            found[on] |= seen_off[on] == node
            found[off] |= seen_on[off] == node
    return found


@kernel
def scan_static_chains(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Cycles and forcing chains of the kinds wanted; in mode FIRST the best of them."""
    graph = build(position, False)
    where = np.zeros(NODE_LITERALS, dtype=np.int32)
    arena = np.empty(8 * NODE_LITERALS, dtype=np.int32)
    reset(arena)
    queue = np.empty(NODE_LITERALS, dtype=np.int32)
    partners = np.empty(8, dtype=np.int32)
    loop = np.empty(2 * LITERALS + 2, dtype=np.int32)
    seen = np.empty(57, dtype=np.int32)
    stack = np.empty(LITERALS, dtype=np.int32)
    kinds = limits[KINDS]
    best = 99.0
    best_size = LONGEST
    # Room for the best step so far: written at the end, from these.
    chosen_pass = -1
    chosen_start = 0
    chosen_partner = -1
    chosen_on = 0
    for turn in range(3):
        cycles = kinds & CYCLE_KINDS[turn]
        chains = kinds & CHAIN_KINDS[turn]
        base = CYCLE_BASE[turn] if cycles else CHAIN_BASE[turn]
        if (not cycles and not chains) or (mode != ALL and best < base):
            continue
        links = LINKS[turn]
        most = LONGEST
        parts = parts_of(graph, links)
        live = _removing(graph, parts) if cycles else np.zeros(parts.components, dtype=np.bool_)
        if not chains and not live.any():
            continue
        loops = within(graph, parts, live)
        closure = closure_of(parts) if chains else no_closure()
        for start in range(LITERALS):
            cell, digit = (start >> 1) // 9, (start >> 1) % 9
            mask = position[CANDIDATES + cell]
            if not mask >> digit & 1 or count_ones(mask) < 2:
                continue
            count = 0
            if start & 1 and live[component_of(parts, start)]:
                count = _strong_partners(position, cell, digit, links, partners)
            if count == 0 and (not chains or not leads_to(closure, start, start ^ 1)):
                continue
            if mode != ALL and best < 99.0:
                most = 4
                while base + length_rating(most + 1) <= best and most < best_size + 16:
                    most += 1
            found = 0
            if count:
                forget(arena, where)
                found = explore(loops, start, links, most, where, arena, queue, -1, -1)
            for place in range(1, found):
                record = queue[place]
                if not arena[record + LITERAL] & 1:
                    continue
                for index in range(count):
                    off = partners[2 * index]
                    cause = _weak_cause(arena[record + LITERAL], off)
                    size = arena[record + COUNT] + 1
                    rating = CYCLE_BASE[turn] + length_rating(size)
                    if cause < 0 or (not links & CELLS and cause == BY_CELL):
                        continue
                    if mode != ALL and (rating > best or (rating == best and size >= best_size)):
                        continue
                    length = _trace(arena, record, off, loop)
                    if length == 0:
                        continue
                    loop[2 * length - 1] = cause
                    begin(out, KEY_OF_CYCLE[turn], 0, 0, size)
                    _put_loop_removals(position, loop, length, seen, out)
                    if mode == ALL:
                        _put_loop_links(loop, length, partners[2 * index + 1], out)
                        if commit(out, mode):
                            return
                    elif discard(out):
                        best, best_size = rating, size
                        chosen_pass, chosen_start = turn, start
                        chosen_partner, chosen_on = index, arena[record + LITERAL]
            if not chains or not leads_to(closure, start, start ^ 1):
                continue
            forget(arena, where)
            explore(graph, start, links, most, where, arena, queue, -1, start ^ 1)
            record = where[start ^ 1]
            if not record:
                continue
            size = arena[record + COUNT]
            rating = CHAIN_BASE[turn] + length_rating(size)
            if mode != ALL and (rating > best or (rating == best and size >= best_size)):
                continue
            if mode == ALL:
                begin(out, KEY_OF_CHAIN[turn], 0, 1 << digit, size)
                _put_chain(position, out, arena, record, start, stack)
                if commit(out, mode):
                    return
            else:
                best, best_size = rating, size
                chosen_pass, chosen_start, chosen_partner = turn, start, -1
    if mode == ALL or chosen_pass < 0:
        return
    # Search the best start again and write its step.
    forget(arena, where)
    links = LINKS[chosen_pass]
    explore(graph, chosen_start, links, LONGEST, where, arena, queue, -1, -1)
    digit = (chosen_start >> 1) % 9
    if chosen_partner < 0:
        begin(out, KEY_OF_CHAIN[chosen_pass], 0, 1 << digit, best_size)
        _put_chain(position, out, arena, where[chosen_start ^ 1], chosen_start, stack)
    else:
        _strong_partners(position, (chosen_start >> 1) // 9, digit, links, partners)
        off = partners[2 * chosen_partner]
        length = _trace(arena, where[chosen_on], off, loop)
        loop[2 * length - 1] = _weak_cause(chosen_on, off)
        begin(out, KEY_OF_CYCLE[chosen_pass], 0, 0, best_size)
        _put_loop_removals(position, loop, length, seen, out)
        _put_loop_links(loop, length, partners[2 * chosen_partner + 1], out)
    commit(out, mode)


@kernel
def _put_chain(position: State, out: Steps, arena: Arena, record: int, start: int, stack: Row) -> None:
    """Write the effect of a chain from `start` to its opposite, and its links."""
    cell, digit = (start >> 1) // 9, (start >> 1) % 9
    if start & 1:
        put_removed(out, position, cell, digit)
    else:
        put_placed(out, cell, digit)
    mark(arena, record, stack)
    put_marked(out, arena, FIRST_RECORD, arena[TOP], stack)


# No bound: from each candidate every other is reached once, whatever the way.
_chain = partial(Technique, scan=scan_static_chains, family=Family.CHAINS, tier=5, bound=SHORT)

ENTRIES: Final = (
    _chain("x_cycle", N_("X-Cycle"), told_by="loop", limits={"kinds": 1}),
    _chain("y_cycle", N_("Y-Cycle"), told_by="loop", limits={"kinds": 2}),
    _chain("forcing_x_chain", N_("Forcing X-Chain"), told_by="forcing", limits={"kinds": 4}),
    _chain("bidirectional_cycle", N_("Bidirectional cycle"), told_by="loop", limits={"kinds": 8}),
    _chain(
        "forcing_chain",
        N_("Forcing chain"),
        told_by="forcing",
        limits={"kinds": 16},
        paths={"explainer": {"kinds": 31}},  # the rule class that searches all kinds of chain at once
    ),
)
