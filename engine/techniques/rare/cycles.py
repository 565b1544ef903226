"""The Explainer's static chains: cycles that hold in both directions, assumptions that imply their opposite.

Links inside one digit (X), inside cells of two candidates (Y), or both. The best of a position has the lowest
rating, then the fewest literals, as the Explainer sorts them.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.bits import count_ones
from ...kernels.patterns import is_settled, new_ways
from ...kernels.state import CANDIDATES, State
from ...kernels.steps import (
    ALL,
    Steps,
    begin,
    commit,
    discard,
    put_placed,
    put_removed,
    put_removed_cells,
)
from ...kernels.tables import PEER_WORDS
from ..bivalue import xy_chain_removes
from ..chains import copy_path, put_path, put_way_back, trace
from ..closure import Parts, component_of, links_of, parts_of, within
from ..entry import N_, SHORT, Family, Technique
from ..graph import Graph, build, explore, usable, weak_cause
from ..implications import (
    BY_CELL,
    CELLS,
    COUNT,
    HOUSES,
    LITERAL,
    LITERALS,
    Row,
    forget,
    length_rating,
    new_search,
)
from ..keys import NUMBER
from ..limits import KINDS, Limits
from .lengths import opposite_lengths, ways_of

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
NONE: Final = 99.0  # above every rating
CHAIN_BASE: Final = np.array([6.6, NONE, 7.0])
LINKS: Final = np.array([HOUSES, CELLS, HOUSES | CELLS], dtype=np.int32)

LONGEST: Final = 4096  # more literals than any chain has
NO_CYCLE: Final = -1  # instead of the cause that closes a cycle


@kernel
def _begin_cycle(position: State, turn: int, path: Row, length: int, seen: Row, out: Steps) -> None:
    """Begin the step of a cycle, which removes what sees an on- and an off-literal of it from other cells.

    seen: int32[2 * 27 + 3], scratch.
    """
    begin(out, KEY_OF_CYCLE[turn], 0, 0, length)
    seen[:] = 0
    for index in range(length):
        literal = path[2 * index]
        cell, digit = (literal >> 1) // 9, (literal >> 1) % 9
        seen[54 + cell // 27] |= 1 << (cell % 27)
        base = 27 * (literal & 1) + 3 * digit
        for band in range(3):
            seen[base + band] |= PEER_WORDS[cell, band]
    for digit in range(9):
        for band in range(3):
            both = seen[3 * digit + band] & seen[27 + 3 * digit + band]
            put_removed_cells(out, position, digit, band, both & ~seen[54 + band])


@kernel
def _put_chain(position: State, turn: int, path: Row, length: int, out: Steps) -> None:
    """Write the step of a chain from a literal to its opposite; the caller commits."""
    cell, digit = path[0] // 18, (path[0] >> 1) % 9
    begin(out, KEY_OF_CHAIN[turn], 0, 1 << digit, length)
    if path[0] & 1:
        put_removed(out, position, cell, digit)
    else:
        put_placed(out, cell, digit)
    put_path(path, length, out)


@kernel
def _put_cycle(
    position: State, turn: int, path: Row, length: int, closing: int, seen: Row, out: Steps
) -> None:
    """Write the step of a cycle, closed by the link with cause `closing`; the caller commits."""
    _begin_cycle(position, turn, path, length, seen, out)
    put_path(path, length, out)
    put_way_back(path, length, closing, out)


@kernel
def _passes(path: Row, length: int, literal: int) -> bool:
    """Whether a path goes through a literal."""
    found = False
    for index in range(length):
        found = found or path[2 * index] == literal
    return found


@kernel
def _removing(graph: Graph, parts: Parts, lengths: Row) -> NDArray[np.bool_]:
    """Return for each component whether some candidate sees an on- and an off-literal of it, and so may be
    eliminated.

    lengths: int32[LITERALS], not 0 if a candidate leads to its opposite, as all eliminable ones do.
    """
    found = np.zeros(parts.components, dtype=np.bool_)
    seen_on = np.full(parts.components, -1, dtype=np.int32)  # the last candidate that sees one
    seen_off = np.full(parts.components, -1, dtype=np.int32)
    for node in parts.nodes:
        first, last = graph.starts[2 * node + 1], graph.starts[2 * node + 2]
        for at in range(first, last if lengths[2 * node + 1] else first):
            if graph.to[at, 1] == BY_CELL:
                continue
            on = component_of(parts, graph.to[at, 0] ^ 1)
            off = component_of(parts, graph.to[at, 0])
            seen_on[on] = node
            seen_off[off] = node
            found[on] |= seen_off[on] == node
            found[off] |= seen_on[off] == node
    return found


@kernel
def _all_settled(position: State) -> bool:
    """Whether no digit can eliminate anything by itself."""
    ways = new_ways()
    digit = 0
    while digit < 9 and is_settled(position, digit, ways):
        digit += 1
    return digit == 9


@kernel
def _longest(base: float, best: float, longer: int) -> int:
    """Return the most literals of a chain or cycle of a lowest rating that is better than the best so far.

    longer: with the same rating, this many literals are too many.
    """
    if best == NONE:
        return LONGEST
    most = 4
    while most < longer + 16:
        rating = base + length_rating(most + 1)
        if rating > best or (rating == best and most + 1 >= longer):
            break
        most += 1
    return most


@kernel
def scan_static_chains(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find cycles and forcing chains of the wanted kinds; in mode FIRST the best of them."""
    graph = build(position, False)
    search = new_search()
    # Pass arrays, not one tuple of them: passing a tuple copies each array header.
    where, arena, queue, clash = search.where, search.arena, search.queue, search.clash
    path = np.empty(2 * LITERALS, dtype=np.int32)
    seen = np.empty(57, dtype=np.int32)
    of_both = np.empty(LITERALS, dtype=np.int32)  # of opposites by both kinds of link, and by one of them
    of_one = np.empty(LITERALS, dtype=np.int32)
    kinds = limits[KINDS]
    ways = ways_of(graph)
    # Besides the shortest chain, only a cycle that is no longer counts. Its eliminations have a chain of at
    # most two literals more.
    slack = 2 if mode != ALL and kinds & FORCING else LONGEST
    fewest_of_both, closes_by_both = opposite_lengths(position, ways, HOUSES | CELLS, LONGEST, slack, of_both)
    # A cycle's eliminations lead to their opposite by a chain of at most two literals more.
    if not of_both.any():
        return
    # The best so far in mode FIRST, written at the end.
    kept = np.empty(2 * LITERALS, dtype=np.int32)
    best = NONE
    best_size = LONGEST
    best_turn = -1
    best_closing = NO_CYCLE
    for turn in range(3):
        cycles = kinds & CYCLE_KINDS[turn]
        chains = kinds & CHAIN_KINDS[turn]
        base = CYCLE_BASE[turn] if cycles else CHAIN_BASE[turn]
        if (not cycles and not chains) or (mode != ALL and best < base):
            continue
        allowed = LINKS[turn]
        lengths, fewest, closes = of_both, fewest_of_both, closes_by_both
        if allowed != HOUSES | CELLS:
            # One kind of link alone mostly leads nowhere: checking that is cheaper than joining all lengths.
            if _all_settled(position) if allowed == HOUSES else not xy_chain_removes(position):
                continue
            lengths = of_one
            longest = _longest(base, best, best_size) + 2
            fewest, closes = opposite_lengths(position, ways, allowed, longest, LONGEST, lengths)
            if not lengths.any():
                continue
        ahead = -1  # up to this literal, a cycle as good as the best comes before it
        for start in range(LITERALS if chains and mode != ALL else 0):
            if lengths[start] != fewest or count_ones(position[CANDIDATES + start // 18]) < 2:
                continue
            rating = CHAIN_BASE[turn] + length_rating(fewest)
            if rating < best or (rating == best and fewest < best_size):
                best, best_size, best_turn, best_closing = rating, fewest, turn, NO_CYCLE
                forget(arena, where)
                explore(graph, start, allowed, LONGEST, where, arena, queue, clash, -1, start ^ 1)
                trace(arena, where[start ^ 1], kept)
                ahead = start
            break
        if not closes and (not chains or mode != ALL):
            continue
        parts = parts_of(links_of(graph, allowed, True))
        live = _removing(graph, parts, lengths) if cycles else np.zeros(parts.components, dtype=np.bool_)
        if not live.any() and (not chains or mode != ALL):
            continue
        loops = within(graph, parts, live)
        for start in range(LITERALS):
            node = start >> 1
            if parts.number[node] < 0 or count_ones(position[CANDIDATES + node // 9]) < 2:
                continue
            in_cycle = start & 1 and live[component_of(parts, start)]
            found = 0
            first, last = graph.starts[start ^ 1], graph.starts[(start ^ 1) + 1]  # what turns it on
            if in_cycle and first < last:
                most = _longest(base, best, best_size + (start <= ahead)) - 1
                forget(arena, where)
                found = explore(loops, start, allowed, most, where, arena, queue, clash, -1, -1)
            for place in range(1, found):
                record = queue[place]
                size = arena[record + COUNT] + 1
                rating = CYCLE_BASE[turn] + length_rating(size)
                for at in range(first, last):
                    if mode != ALL and (
                        rating > best or (rating == best and size >= best_size + (start <= ahead))
                    ):
                        break
                    off, closing = graph.to[at, 0] >> 1, graph.to[at, 1]
                    cause = weak_cause(graph.cells, graph.homes, arena[record + LITERAL] >> 1, off)
                    if cause < 0 or not usable(1, cause, allowed) or not usable(0, closing, allowed):
                        continue
                    length = trace(arena, record, path)
                    if _passes(path, length, 2 * off):
                        continue
                    path[2 * length] = 2 * off
                    path[2 * length + 1] = cause
                    if mode == ALL:
                        _put_cycle(position, turn, path, size, closing, seen, out)
                        if commit(out, mode):
                            return
                        continue
                    _begin_cycle(position, turn, path, size, seen, out)
                    if discard(out):
                        best, best_size, best_turn, best_closing = rating, size, turn, closing
                        copy_path(path, size, kept)
                        ahead = -1
            if mode != ALL or not chains or not lengths[start]:
                continue
            forget(arena, where)
            explore(graph, start, allowed, LONGEST, where, arena, queue, clash, -1, start ^ 1)
            _put_chain(position, turn, path, trace(arena, where[start ^ 1], path), out)
            if commit(out, mode):
                return
    if best_turn < 0:
        return
    if best_closing == NO_CYCLE:
        _put_chain(position, best_turn, kept, best_size, out)
    else:
        _put_cycle(position, best_turn, kept, best_size, best_closing, seen, out)
    commit(out, mode)


# No limit: from each candidate every other is reached once, by one path.
_chain = partial(Technique, scan=scan_static_chains, family=Family.CHAINS, tier=5, bound=SHORT, rare=True)

ENTRIES: Final = (
    _chain("x_cycle", N_("X-Cycle"), template_name="loop", limits={"kinds": X_CYCLE}),
    _chain("y_cycle", N_("Y-Cycle"), template_name="loop", limits={"kinds": Y_CYCLE}),
    _chain("forcing_x_chain", N_("Forcing X-Chain"), template_name="forcing", limits={"kinds": FORCING_X}),
    _chain("bidirectional_cycle", N_("Bidirectional Cycle"), template_name="loop", limits={"kinds": CYCLE}),
    _chain(
        "forcing_chain",
        N_("Forcing Chain"),
        template_name="forcing",
        limits={"kinds": FORCING},
        # The rule class that searches all kinds of chain at once.
        paths={"explainer": {"kinds": X_CYCLE | Y_CYCLE | FORCING_X | CYCLE | FORCING}},
    ),
)
