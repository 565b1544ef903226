"""Chains of several branches, and nets: what all candidates of a cell, all places of a digit or both states
of a candidate lead to, and what cannot be assumed at all.

Static chains look at the position as it is; dynamic nets may use everything an assumption turned off, and
from rule level 2 on the simple techniques and chains that arise under it. The best of a position is the one
whose explanation has the fewest literals, as the Explainer sorts them.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.bits import count_ones, trailing_zeros
from ...kernels.order import stable_order
from ...kernels.state import CANDIDATES, PLACES, STATE_SIZE, State, copy_to
from ...kernels.steps import (
    ALL,
    BY_LEMMA,
    COUNT,
    DIGIT_MASK,
    FIRST,
    FIRST_HEADER,
    FULL,
    LINK_WIDTH,
    PAST_BOUND,
    PLACED,
    REMOVED,
    ROOM,
    SIZE,
    SPENT,
    WIDTH,
    Steps,
    begin,
    clear,
    commit,
    copy_lemma,
    put_cell,
    put_house,
    put_placed,
    put_removed,
)
from ...kernels.steps import HOUSES as HOUSE_FACTS
from ...kernels.steps import KEY as KEY_WORD
from ...kernels.steps import LINKS as LINK_FACTS
from ...kernels.steps import PATTERN as CELL_FACTS
from ...kernels.tables import CELL_HOUSES, HOUSE_CELLS
from ..closure import Closure, agree, closure_of, leads_to, links_of, no_closure, parts_of
from ..entry import BASE, COVER, N_, PATTERN, SHORT, Family, Technique
from ..fish import ENTRIES as FISH
from ..fish import scan_fish
from ..graph import Graph, build, explore, no_graph
from ..implications import (
    ASSUMED,
    BY_CELL,
    CAUSE,
    CELLS,
    FIRST_PARENT,
    HOUSES,
    LITERAL,
    LITERALS,
    LONGEST_RECORD,
    MARK,
    NODE_LITERALS,
    NODES,
    OVERFLOW,
    STOP,
    TOP,
    Arena,
    Row,
    Search,
    add_parent,
    add_record,
    ancestors,
    least,
    length_rating,
    mark,
    next_record,
    put_marked,
    reset,
    spread,
)
from ..keys import NUMBER
from ..limits import (
    BOUND,
    DEEPEST,
    DEEPEST_LEVEL,
    DYNAMIC_COST,
    KEY,
    KINDS,
    LEVEL,
    MOST_SPENT,
    SEVERAL_COST,
    STATIC_COST,
    Limits,
)
from ..locked import ENTRIES as LOCKED
from ..locked import scan_locked_candidates
from ..subsets import ENTRIES as SUBSETS
from ..subsets import scan_hidden_subset, scan_naked_subset
from .arising import Arising, chain_arises, join_new_links, new_arising, verity_arises
from .cycles import ENTRIES as CYCLES
from .cycles import scan_static_chains
from .probes import (
    Probes,
    new_probes,
    no_probes,
    probe,
    probes_agree,
    refuted,
    refuted_alone,
)

# Kinds wanted, as bits of limits[KINDS]. At equal length the Explainer sorts them in this order.
DOUBLE: Final = 1  # both states of a candidate agree
BY_CANDIDATES: Final = 2  # all candidates of a cell agree
BY_PLACES: Final = 4  # all places of a digit in a house agree
CONTRADICTION: Final = 8  # an assumption contradicts itself
ONE_DIGIT: Final = 16  # use links between cells only (Nishio)
PAIRS: Final = 32  # start from cells of two candidates too, as dynamic nets always do

# Rule levels, limits[LEVEL].
DYNAMIC_LEVEL: Final = 1  # below it nets search the unchanged position
PLUS_LEVEL: Final = 2  # with simple techniques
NESTED_LEVEL: Final = 3  # with static chains too; one more: with chains of several branches

# A nested step's variant is its kind plus ten times the tenths its level adds to the rating of NESTED_LEVEL.
TENTHS_A_LEVEL: Final = 5

X_CYCLE: Final = NUMBER["x_cycle"]
Y_CYCLE: Final = NUMBER["y_cycle"]
FORCING_X_CHAIN: Final = NUMBER["forcing_x_chain"]
BIDIRECTIONAL_CYCLE: Final = NUMBER["bidirectional_cycle"]

# A mode besides FIRST and ALL: record every step without writing it.
NOTE: Final = 2
NOTE_WIDTH: Final = 4  # words of a record: size, kind, target literal, source
NOTES: Final = 1 << 18  # limit of records

LONGEST: Final = 1 << 30
ARENA_WORDS: Final = 1 << 24
SMALL_ARENA: Final = 1 << 21
STATIC_SPARE: Final = 33 * LONGEST_RECORD  # the space a search requires beyond its needs
LEMMA_WORDS: Final = 1 << 21
DEEPEST_LEMMA_WORDS: Final = 1 << 24  # a lemma is a whole net there


class Nets(NamedTuple):
    """Conclusions from each literal, and the scratch space of the scan.

    The position, the limits and the buffer of steps are separate arguments, not fields: passing a tuple
    copies each array header, and most kernels need few of them.
    """

    # [LITERALS, 5]: row in `where` or -1, first and last record, the two contradictory records
    table: NDArray[np.int32]
    where: NDArray[np.int32]  # [searches, LITERALS]: record of each literal derived
    derived: NDArray[np.int64]  # [searches, WORDS]: the literals derived as bits, set when a search has ended
    arena: Arena
    lemmas: Steps  # those used by a net
    found: Steps  # the result of one search for lemmas
    budget: Row  # [1]: what the searches for nested chains may still cost
    starts: Row  # [9]: the literals the branches start from
    best: Row  # [4]: size, kind, target literal (-1 for a contradiction), source
    notes: Row  # the number of records, then NOTE_WIDTH words each
    shortest: Row  # [LITERALS]: the size of the smallest step written or recorded, by its conclusion
    seen: Row
    stack: Row
    rules: Limits  # a copy of RULES, which is read-only and would make Numba compile every scan twice
    now: State  # the position under an assumption
    queue: Row  # these three as in Search
    pending: Row
    clash: Row
    # Links for static searches and for chains under an assumption; empty if there are none.
    graph: Graph
    closure: Closure
    arising: Arising  # chains that arise under an assumption
    probes: Probes  # dynamic nets that arise under one; in nested nets, of the assumption
    names: NDArray[np.int64]  # [lemmas]: a hash of the links of each lemma, 0 if not computed yet


BITS: Final = 54  # used bits of a word of `derived`
WORDS: Final = LITERALS // BITS

ROW: Final = 0
BEGIN: Final = 1
END: Final = 2
CLASH: Final = 3


@kernel
def scan_nets(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find chains and nets of the wanted kinds, static or dynamic; in mode FIRST the best of them.

    Sets FULL in `out` if the arena of records is too small.
    """
    if limits[KINDS] & ONE_DIGIT and not _breaks_somewhere(position):
        return
    # A small arena is faster, since its memory is cached; nearly all positions fit. A static search writes
    # steps before the last literal is searched, so it must be known to fit.
    fits = limits[LEVEL] >= DYNAMIC_LEVEL or _static_words(position) <= SMALL_ARENA
    if not (fits and _search_nets(position, limits, mode, SMALL_ARENA, out)) and not _search_nets(
        position, limits, mode, ARENA_WORDS, out
    ):
        out[FULL] = PAST_BOUND


@kernel
def _breaks_somewhere(position: State) -> bool:
    """Whether some candidate on or off leaves its digit without a place in a house; most positions have none.

    A candidate off places another, which does the same and more, or breaks a house where it is alone.
    """
    places = np.empty(30, dtype=np.int32)
    queue = np.empty(28, dtype=np.int32)
    for candidate in range(729):
        cell, digit = candidate // 9, candidate % 9
        if not position[CANDIDATES + cell] >> digit & 1:
            continue
        for kind in range(3):
            there = position[PLACES + 27 * digit + CELL_HOUSES[cell, kind]]
            if there & (there - 1) == 0:
                return True
        if refuted_alone(position, 2 * candidate + 1, places, queue):
            return True
    return False


@kernel
def _static_words(position: State) -> int:
    """Return the most words of an arena that static searches from every literal fill."""
    candidates = 0
    for cell in range(81):
        candidates += count_ones(position[CANDIDATES + cell])
    return (2 * candidates) ** 2 * (FIRST_PARENT + 1) + STATIC_SPARE


@kernel
def _search_nets(position: State, limits: Limits, mode: int, words: int, out: Steps) -> bool:
    """`scan_nets` with an arena of this many words; False if they aren't enough."""
    nets = _new_nets(position, limits, 32, words, 0, no_probes())
    if limits[LEVEL] >= DYNAMIC_LEVEL:
        _search(position, limits, 0, LITERALS, nets)
    if not nets.arena[OVERFLOW]:
        _weigh_all(position, limits, mode, nets, out)
    return not nets.arena[OVERFLOW]


@kernel
def _search(position: State, limits: Limits, first: int, last: int, nets: Nets) -> None:
    """Search dynamic nets from the unsearched literals of a range that have a row."""
    links = _links(limits)
    for literal in range(first, last):
        if nets.table[literal, ROW] < 0 or nets.table[literal, BEGIN] >= 0:
            continue
        search = _begin_search(position, literal, nets)
        spread(position, nets.now, literal, links, search)
        _note_end(literal, nets)
        if nets.arena[OVERFLOW]:
            return


@kernel
def _search_branches(position: State, limits: Limits, branches: int, nets: Nets) -> None:
    """Search from the unsearched ones of nets.starts."""
    links = _links(limits)
    table, arena = nets.table, nets.arena
    for branch in range(branches):
        start = int(nets.starts[branch])
        if table[start, BEGIN] >= 0 or table[start, ROW] < 0:
            continue
        if limits[LEVEL] >= DYNAMIC_LEVEL:
            _search(position, limits, start, start + 1, nets)
            continue
        row = nets.where[table[start, ROW]]
        table[start, BEGIN] = arena[TOP]
        row[:] = 0
        explore(nets.graph, start, links, LONGEST, row, arena, nets.queue, nets.clash, -1, -1)
        _note_end(start, nets)


@kernel
def _begin_search(position: State, literal: int, nets: Nets) -> Search:
    """Prepare the scratch space for a search from `literal`, and record where it begins."""
    nets.table[literal, BEGIN] = nets.arena[TOP]
    nets.pending[:] = 0
    nets.where[nets.table[literal, ROW]] = 0
    copy_to(position, nets.now)
    return Search(nets.where[nets.table[literal, ROW]], nets.arena, nets.queue, nets.pending, nets.clash)


@kernel
def scan_deep_nets(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find dynamic nets that use the techniques and chains of limits[LEVEL] that arise under an assumption.

    If there are none, those of the levels above it up to limits[DEEPEST]. Sets FULL in `out` if the arena or
    the buffer of lemmas is too small, or limits[BOUND] is exceeded.
    """
    of_level = limits.copy()
    for level in range(limits[LEVEL], max(limits[LEVEL], limits[DEEPEST]) + 1):
        of_level[LEVEL] = level
        _scan_level(position, of_level, mode, out)
        if out[COUNT] or out[FULL]:
            return


@kernel
def _scan_level(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """`scan_deep_nets` at limits[LEVEL] alone."""
    deepest = limits[LEVEL] == DEEPEST_LEVEL
    nets = _new_nets(
        position,
        limits,
        DEEPEST_LEMMA_WORDS if deepest else LEMMA_WORDS,
        ARENA_WORDS,
        0,
        new_probes(position) if deepest else no_probes(),
    )
    nested = limits[LEVEL] >= NESTED_LEVEL
    if nested:
        nets.budget[0] -= out[SPENT]
    links = _links(limits)
    for literal in range(LITERALS):
        if nets.table[literal, ROW] < 0:
            continue
        search = _begin_search(position, literal, nets)
        spread(position, nets.now, literal, links, search)
        while nets.clash[0] == 0 and _advance(position, limits[LEVEL], search.where, nets):
            spread(position, nets.now, literal, links, search)
        _note_end(literal, nets)
        if nested:
            out[SPENT] = limits[BOUND] - nets.budget[0]
        if nets.arena[OVERFLOW] or nets.lemmas[FULL] or nets.found[FULL] or nets.budget[0] < 0:
            out[FULL] = PAST_BOUND
            return
    _weigh_all(position, limits, mode, nets, out)


@kernel
def _new_nets(
    position: State, limits: Limits, lemma_words: int, arena_words: int, notes: int, probes: Probes
) -> Nets:
    """Return the nets of a position before any search, with a row for each literal to start from.

    With one digit those are the literals that break it, since only contradictions are wanted then.

    notes: capacity of records.
    """
    one_digit = limits[KINDS] & ONE_DIGIT
    places = np.empty(30, dtype=np.int32)
    queue = np.empty(NODE_LITERALS, dtype=np.int32)
    table = np.empty((LITERALS, 5), dtype=np.int32)
    table[:] = -1
    count = 0
    for cell in range(81):
        mask = position[CANDIDATES + cell]
        while mask:
            off = 2 * (9 * cell + trailing_zeros(mask))
            mask &= mask - 1
            for literal in range(off if limits[KINDS] & (CONTRADICTION | DOUBLE) else off + 1, off + 2):
                if one_digit and not refuted_alone(position, literal, places, queue):
                    continue
                table[literal, ROW] = count
                count += 1
    lemmas = np.empty(lemma_words, dtype=np.int32)
    lemmas[ROOM] = lemma_words // 96
    clear(lemmas)
    found = np.empty(lemma_words, dtype=np.int32)
    found[ROOM] = lemma_words // 96
    clear(found)
    arena = np.empty(arena_words, dtype=np.int32)
    reset(arena)
    noted = np.empty(1 + NOTE_WIDTH * notes, dtype=np.int32)
    noted[0] = 0
    closed = limits[LEVEL] < DYNAMIC_LEVEL or NESTED_LEVEL <= limits[LEVEL] < DEEPEST_LEVEL
    graph = build(position, False) if closed else no_graph()
    closure = closure_of(parts_of(links_of(graph, HOUSES | CELLS, False))) if closed else no_closure()
    return Nets(
        table,
        np.empty((count, LITERALS), dtype=np.int32),  # a row is zeroed when its search begins
        np.empty((count, WORDS), dtype=np.int64),
        arena,
        lemmas,
        found,
        np.array([limits[BOUND]], dtype=np.int32),
        np.empty(9, dtype=np.int32),
        np.array([LONGEST, 99, -1, 0], dtype=np.int32),
        noted,
        np.full(LITERALS, LONGEST, dtype=np.int32),
        np.zeros(LITERALS + 1, dtype=np.int32),
        np.empty(LITERALS, dtype=np.int32),
        RULES.copy(),
        np.empty(STATE_SIZE, dtype=np.int32),
        queue,
        np.empty(4, dtype=np.int32),
        np.zeros(2, dtype=np.int32),
        graph,
        closure,
        new_arising(closure),
        probes,
        np.zeros(lemmas[ROOM], dtype=np.int64),
    )


@kernel
def _links(limits: Limits) -> int:
    """Return the links that a search may use."""
    return STOP | HOUSES | (0 if limits[KINDS] & ONE_DIGIT else CELLS)


@kernel
def _note_end(literal: int, nets: Nets) -> None:
    """Record where the search from `literal` ended, and what it derived."""
    table, derived, arena = nets.table, nets.derived, nets.arena
    table[literal, END] = arena[TOP]
    table[literal, CLASH] = nets.clash[0]
    table[literal, CLASH + 1] = nets.clash[1]
    row = table[literal, ROW]
    for word in range(WORDS):
        derived[row, word] = 0
    record = int(table[literal, BEGIN])
    while record < arena[TOP]:
        there = arena[record + LITERAL]
        derived[row, there // BITS] |= np.int64(1) << there % BITS
        record = next_record(arena, record)


@kernel
def _weigh_all(position: State, limits: Limits, mode: int, nets: Nets, out: Steps) -> None:
    """Write every step of the nets, in the Explainer's order, or in mode FIRST the best.

    Few branches agree in anything, and passing the nets takes longer than testing whether they do.
    """
    kinds = limits[KINDS]
    static = limits[LEVEL] < DYNAMIC_LEVEL
    sources = _sources(position, kinds, 3 if static and not kinds & PAIRS else 2)
    starts, closure, probes, table = nets.starts, nets.closure, nets.probes, nets.table
    for at in range(len(sources)):
        kind, source = sources[at, 0], sources[at, 1]
        branches = _branches(position, kind, source, starts)
        if kind == CONTRADICTION:
            if leads_to(closure, source, source ^ 1) if static else _may_clash(position, source, probes):
                _search_branches(position, limits, branches, nets)
            clashes = table[source, BEGIN] >= 0 and table[source, CLASH] != 0
            if clashes and _weigh_clash(position, limits, mode, source, nets, out):
                return
            continue
        if static:
            agreed = agree(closure, starts, branches)
        elif mode == NOTE:
            agreed = probes_agree(position, probes, starts, branches)
        else:
            agreed = _agree(branches, starts, table, nets.derived)
        if agreed and _weigh_agreements(position, limits, mode, kind, source, nets, out):
            return
    if mode == FIRST and nets.best[1] < 99:
        _put_step(position, limits, nets.best[0], nets.best[1], nets.best[2], nets.best[3], nets, out)
        commit(out, mode)


@kernel
def _sources(position: State, kinds: int, fewest: int) -> NDArray[np.int32]:
    """Return the possible sources of steps of the kinds, in the Explainer's order: int32[n, 2] of kinds and
    sources.

    fewest: candidates of a cell.
    """
    sources = np.empty((4 * 729 + 9 * 27 + 81, 2), dtype=np.int32)
    count = 0
    for cell in range(81):
        mask = position[CANDIDATES + cell]
        if count_ones(mask) < fewest:
            continue
        for digit in range(9):
            if not mask >> digit & 1:
                continue
            off = 2 * (9 * cell + digit)
            if kinds & CONTRADICTION:
                count = _add_source(CONTRADICTION, off + 1, count, sources)
                count = _add_source(CONTRADICTION, off, count, sources)
            if kinds & DOUBLE and count_ones(mask) >= 3:
                count = _add_source(DOUBLE, off, count, sources)
            for turn in range(3 if kinds & BY_PLACES else 0):
                house = CELL_HOUSES[cell, 2 if turn == 0 else turn - 1]
                places = position[PLACES + 27 * digit + house]
                if count_ones(places) >= 2 and HOUSE_CELLS[house, trailing_zeros(places)] == cell:
                    count = _add_source(BY_PLACES, 9 * house + digit, count, sources)
        if kinds & BY_CANDIDATES:
            count = _add_source(BY_CANDIDATES, cell, count, sources)
    return sources[:count]


@kernel
def _add_source(kind: int, source: int, count: int, sources: NDArray[np.int32]) -> int:
    """Append a source; returns the new count."""
    sources[count, 0] = kind
    sources[count, 1] = source
    return count + 1


@kernel
def _advance(position: State, level: int, where: Row, nets: Nets) -> bool:
    """Turn off what the first technique that arises in nets.now removes; returns whether there was any."""
    now = nets.now
    arcs = 0
    clear(nets.found)
    for rule in range(len(nets.rules)):
        limits = nets.rules[rule]
        chains = False
        if rule < 2:
            scan_locked_candidates(now, limits, ALL, nets.found)
        elif rule == 2:
            scan_hidden_subset(now, limits, ALL, nets.found)
        elif rule == 3:
            scan_naked_subset(now, limits, ALL, nets.found)
        elif rule == 4:
            scan_fish(now, limits, ALL, nets.found)
        elif rule == 5 and NESTED_LEVEL <= level < DEEPEST_LEVEL:
            arcs = join_new_links(position, now, nets.closure, nets.arising)
            if not chain_arises(nets.arising, arcs):
                continue
            nets.budget[0] -= STATIC_COST
            scan_static_chains(now, limits, ALL, nets.found)
            chains = True
        elif (
            rule == 6
            and level == NESTED_LEVEL + 1
            and not verity_arises(now, nets.closure, nets.arising, arcs)
        ):
            continue
        elif (rule == 6 and level == NESTED_LEVEL + 1) or (rule == 7 and level == DEEPEST_LEVEL):
            nets.budget[0] -= SEVERAL_COST if rule == 6 else DYNAMIC_COST
            if nets.budget[0] >= 0 and _turn_off_by_nets(position, limits, where, nets):
                return True
        if nets.found[FULL] or nets.budget[0] < 0:
            return False
        if rule == 0:  # pointing and claiming count as one technique
            continue
        used = False
        if chains:
            order = _by_price(nets.found)
            for index in range(len(order)):
                used = _turn_off_by(position, where, order[index], nets) or used
        else:
            for lemma in range(nets.found[COUNT]):
                used = _turn_off_by(position, where, lemma, nets) or used
        if used:
            return True
        clear(nets.found)
    return False


@kernel
def _by_price(found: Steps) -> NDArray[np.int64]:
    """Return the static chains found in the Explainer's order: rating, length, kind."""
    prices = np.empty(found[COUNT], dtype=np.float64)
    for lemma in range(found[COUNT]):
        header = FIRST_HEADER + lemma * WIDTH
        key = found[header + KEY_WORD]
        base = 7.0
        kind = 4
        if key in (X_CYCLE, Y_CYCLE):
            base = 6.5
        elif key == FORCING_X_CHAIN:
            base = 6.6
        if key in (X_CYCLE, FORCING_X_CHAIN):
            kind = 2
        elif key == Y_CYCLE:
            kind = 3
        size = found[header + SIZE]
        prices[lemma] = round(10 * (base + length_rating(size))) * 1_000_000 + size * 100 + kind
    return stable_order(prices)


@kernel
def _turn_off_by(position: State, where: Row, lemma: int, nets: Nets) -> bool:
    """Turn off what a lemma removes, explained by its missing candidates; False if it needs none.

    A conclusion without the assumption isn't part of the net: a technique that finds it comes first.
    """
    now, found = nets.now, nets.found
    header = FIRST_HEADER + lemma * WIDTH
    nets.seen[LITERALS] += 1
    chain = found[header + LINK_FACTS + 1] > found[header + LINK_FACTS]
    count = _premises(position, now, where, header, chain, nets)
    if count == 0:
        return False
    number = -1
    for at in range(found[header + PLACED], found[header + PLACED + 1]):
        cell = found[at] // 9
        rest = now[CANDIDATES + cell] & ~(1 << (found[at] % 9))
        while rest:
            literal = 2 * (9 * cell + trailing_zeros(rest))
            rest &= rest - 1
            number = _derive_by(where, literal, lemma, number, count, nets)
    for at in range(found[header + REMOVED], found[header + REMOVED + 1]):
        number = _derive_by(where, 2 * found[at], lemma, number, count, nets)
    return True


@kernel
def _turn_off_by_nets(position: State, limits: Limits, where: Row, nets: Nets) -> bool:
    """Turn off what the nets that arise in nets.now remove, like `_turn_off_by`; returns whether there was
    any.

    They have thousands of steps, so one is written only if nothing cheaper turned off the same. Sets FULL in
    nets.found if there is no space.
    """
    now, found = nets.now, nets.found
    fits = limits[LEVEL] >= DYNAMIC_LEVEL or _static_words(now) <= SMALL_ARENA
    if limits[LEVEL] >= DYNAMIC_LEVEL:
        probe(now, nets.probes)
    inner = _new_nets(now, limits, 32, SMALL_ARENA if fits else ARENA_WORDS, NOTES, nets.probes)
    _weigh_all(now, limits, NOTE, inner, found)
    if inner.arena[OVERFLOW] and fits:
        inner = _new_nets(now, limits, 32, ARENA_WORDS, NOTES, nets.probes)
        _weigh_all(now, limits, NOTE, inner, found)
    if inner.arena[OVERFLOW] or inner.notes[0] == NOTES:
        found[FULL] = PAST_BOUND
        return False
    prices = np.empty(inner.notes[0], dtype=np.int64)
    for index in range(len(prices)):
        size, kind = inner.notes[1 + NOTE_WIDTH * index], inner.notes[2 + NOTE_WIDTH * index]
        prices[index] = round(10 * (8.0 + length_rating(size))) * 1_000_000 + size * 100 + kind
    used = False
    for index in stable_order(prices):
        at = 1 + NOTE_WIDTH * index
        size, kind, target, source = (
            inner.notes[at],
            inner.notes[at + 1],
            inner.notes[at + 2],
            inner.notes[at + 3],
        )
        if _is_off(now, where, target if target >= 0 else source ^ 1):
            continue
        clear(found)
        _put_step(now, limits, size, kind, target, source, inner, found)
        if commit(found, FIRST):
            used = _turn_off_by(position, where, 0, nets) or used
    clear(found)
    return used


@kernel
def _is_off(now: State, where: Row, effect: int) -> bool:
    """Whether all that a step with this effect turns off was derived."""
    if not effect & 1:
        return bool(where[effect])
    cell = effect // 18
    rest = now[CANDIDATES + cell] & ~(1 << (effect >> 1) % 9)
    off = True
    while rest:
        off = off and where[2 * (9 * cell + trailing_zeros(rest))] != 0
        rest &= rest - 1
    return off


@kernel
def _derive_by(where: Row, literal: int, lemma: int, number: int, count: int, nets: Nets) -> int:
    """Derive an off-literal by a lemma and its `count` premises; returns the lemma's number among those
    used.
    """
    arena = nets.arena
    if where[literal] or arena[OVERFLOW]:
        return number
    if arena[TOP] + count + LONGEST_RECORD > len(arena):
        arena[OVERFLOW] = 1
        return number
    if number < 0:
        number = copy_lemma(nets.found, lemma, nets.lemmas)
    record = add_record(arena, literal, BY_LEMMA + number, nets.stack[0])
    for index in range(1, count):
        add_parent(arena, record, nets.stack[index])
    where[literal] = record
    nets.queue[NODES + nets.pending[3]] = record
    nets.pending[3] += 1
    return number


@kernel
def _premises(position: State, now: State, where: Row, header: int, chain: bool, nets: Nets) -> int:
    """Put the records of all missing candidates behind the lemma into nets.stack, each once; returns how
    many.
    """
    found = nets.found
    count = 0
    based = False
    for at in range(found[header + HOUSE_FACTS], found[header + HOUSE_FACTS + 1]):
        fact = found[at]
        if fact >> 16 != BASE:
            continue
        based = True
        for digit in range(9):
            if fact >> (7 + digit) & 1:
                count = _gone_from_house(
                    position, now, where, fact & 0x7F, digit, -1 if chain else header, count, nets
                )
    for at in range(found[header + CELL_FACTS], 0 if based else found[header + CELL_FACTS + 1]):
        kept = 0 if chain else found[header + DIGIT_MASK]
        count = _gone_from_cell(position, now, where, found[at] & 0x7F, kept, count, nets)
    if not chain:
        return count
    key = found[header + KEY_WORD]
    cycle = key in (X_CYCLE, Y_CYCLE, BIDIRECTIONAL_CYCLE)
    branch = 0
    links = 0
    for at in range(found[header + LINK_FACTS], found[header + LINK_FACTS + 1], LINK_WIDTH):
        target, cause = found[at + 1], found[at + 2]
        links += 1
        if cause == ASSUMED:
            branch += 1
            links = 0
            continue
        # A cycle counts every link in one direction, and in the other only the link that closes it.
        if not target & 1 and not cycle:
            continue
        if cycle and branch == 2 and links > 1:
            continue
        cell = target // 18
        if cause == BY_CELL:
            count = _gone_from_cell(position, now, where, cell, 0, count, nets)
        else:
            count = _gone_from_house(position, now, where, cause, (target >> 1) % 9, -1, count, nets)
    return count


@kernel
def _gone_from_house(
    position: State, now: State, where: Row, house: int, digit: int, header: int, count: int, nets: Nets
) -> int:
    """Add the places the digit lost in a house; without those in the pattern of `header`, unless it is -1."""
    index = PLACES + 27 * digit + house
    gone = position[index] & ~now[index]
    while gone:
        cell = HOUSE_CELLS[house, trailing_zeros(gone)]
        gone &= gone - 1
        if header < 0 or not _in_pattern(nets.found, header, cell):
            count = _add_premise(where, 2 * (9 * cell + digit), count, nets)
    return count


@kernel
def _gone_from_cell(
    position: State, now: State, where: Row, cell: int, kept: int, count: int, nets: Nets
) -> int:
    """Add the candidates that a cell lost, except the digits of the mask `kept`."""
    gone = position[CANDIDATES + cell] & ~now[CANDIDATES + cell] & ~kept
    while gone:
        count = _add_premise(where, 2 * (9 * cell + trailing_zeros(gone)), count, nets)
        gone &= gone - 1
    return count


@kernel
def _add_premise(where: Row, literal: int, count: int, nets: Nets) -> int:
    """Add the record of an off-literal to nets.stack unless it is there."""
    if nets.seen[literal] == nets.seen[LITERALS]:
        return count
    nets.seen[literal] = nets.seen[LITERALS]
    nets.stack[count] = where[literal]
    return count + 1


@kernel
def _in_pattern(lemmas: Steps, header: int, cell: int) -> bool:
    """Whether the cell is one of the lemma's cells or in one of its cover houses."""
    for at in range(lemmas[header + CELL_FACTS], lemmas[header + CELL_FACTS + 1]):
        if lemmas[at] & 0x7F == cell:
            return True
    for at in range(lemmas[header + HOUSE_FACTS], lemmas[header + HOUSE_FACTS + 1]):
        house = lemmas[at] & 0x7F
        if lemmas[at] >> 16 == COVER and CELL_HOUSES[cell, house // 9] == house:
            return True
    return False


@kernel
def _weigh_clash(position: State, limits: Limits, mode: int, start: int, nets: Nets, out: Steps) -> bool:
    """Consider the step of a literal that contradicts itself; True if the scan must stop."""
    nets.starts[0] = start
    size = least(nets.arena, nets.table[start, CLASH])
    size += least(nets.arena, nets.table[start, CLASH + 1])
    if size > _most(mode, start ^ 1, nets.best, nets.shortest):
        return False
    size = ancestors(nets.arena, nets.table[start, CLASH], nets.seen, nets.stack)
    size += ancestors(nets.arena, nets.table[start, CLASH + 1], nets.seen, nets.stack)
    if limits[LEVEL] >= NESTED_LEVEL and (mode == ALL or size <= nets.best[0]):
        size += _nested_size(nets, 1, CONTRADICTION, -1)
    return _weigh(position, limits, mode, size, CONTRADICTION, -1, start, nets, out)


@kernel
def _most(mode: int, effect: int, best: Row, shortest: Row) -> int:
    """Return the size above which a step with this conclusion is useless: the best is wanted, or the best
    for each.
    """
    return int(best[0] if mode == FIRST else shortest[effect])


@kernel
def _may_clash(position: State, start: int, probes: Probes) -> bool:
    """Whether a not yet made dynamic search from `start` would contradict itself."""
    mask = position[CANDIDATES + start // 18]
    return bool(len(probes.number) and mask & (mask - 1) and refuted(probes, start))


@kernel
def _branches(position: State, kind: int, source: int, starts: Row) -> int:
    """Fill `starts` with the literals that the branches start from; returns how many there are."""
    count = 0
    if kind == CONTRADICTION:
        starts[0] = source
        count = 1
    elif kind == DOUBLE:
        starts[0] = source + 1
        starts[1] = source
        count = 2
    elif kind == BY_CANDIDATES:
        for digit in range(9):
            if position[CANDIDATES + source] >> digit & 1:
                starts[count] = 2 * (9 * source + digit) + 1
                count += 1
    else:
        house = source // 9
        digit = source % 9
        places = position[PLACES + 27 * digit + house]
        while places:
            starts[count] = 2 * (9 * HOUSE_CELLS[house, trailing_zeros(places)] + digit) + 1
            places &= places - 1
            count += 1
    return count


@kernel
def _agree(branches: int, starts: Row, table: NDArray[np.int32], derived: NDArray[np.int64]) -> bool:
    """Whether the searches from `starts` have a literal in common; most have none.

    table, derived: of Nets.
    """
    for word in range(WORDS):
        common = derived[table[starts[0], ROW], word]
        for branch in range(1, branches):
            common &= derived[table[starts[branch], ROW], word]
        if common:
            return True
    return False


@kernel
def _weigh_agreements(
    position: State, limits: Limits, mode: int, kind: int, source: int, nets: Nets, out: Steps
) -> bool:
    """Consider every literal that all branches derive; True if the scan must stop."""
    branches = _branches(position, kind, source, nets.starts)
    if limits[LEVEL] < DYNAMIC_LEVEL or mode == NOTE:
        _search_branches(position, limits, branches, nets)
        if not _agree(branches, nets.starts, nets.table, nets.derived):
            return False
    first = nets.starts[0]
    for state in (1, 0):  # placements come before eliminations, as in the Explainer's list
        record = nets.table[first, BEGIN]
        while record < nets.table[first, END]:
            here = record
            literal = nets.arena[here + LITERAL]
            record = next_record(nets.arena, here)
            if literal & 1 != state or nets.where[nets.table[first, ROW], literal] != here:
                continue
            shared = not state or count_ones(position[CANDIDATES + literal // 18]) > 1
            for branch in range(1, branches):
                if not nets.where[nets.table[nets.starts[branch], ROW], literal]:
                    shared = False
                    break
            if not shared:
                continue
            most = _most(mode, literal, nets.best, nets.shortest)
            size = 0
            for branch in range(branches):
                size += least(nets.arena, nets.where[nets.table[nets.starts[branch], ROW], literal])
            if size > most:
                continue
            size = 0
            for branch in range(branches):
                there = nets.where[nets.table[nets.starts[branch], ROW], literal]
                size += ancestors(nets.arena, there, nets.seen, nets.stack)
                if size > most:
                    break
            if limits[LEVEL] >= NESTED_LEVEL and (mode == ALL or size <= nets.best[0]):
                size += _nested_size(nets, branches, kind, literal)
            if _weigh(position, limits, mode, size, kind, literal, source, nets, out):
                return True
    return False


@kernel
def _weigh(
    position: State,
    limits: Limits,
    mode: int,
    size: int,
    kind: int,
    target: int,
    source: int,
    nets: Nets,
    out: Steps,
) -> bool:
    """Keep the step if it is the best so far; in other modes write or note it, unless a shorter one does the
    same. True where the scan shall stop."""
    if mode != FIRST:
        effect = target if target >= 0 else source ^ 1
        if size > nets.shortest[effect]:
            return False
        nets.shortest[effect] = size
        if mode == NOTE:
            return _note(size, kind, target, source, nets.notes)
        _put_step(position, limits, size, kind, target, source, nets, out)
        return commit(out, mode)
    best = nets.best
    if size < best[0] or (size == best[0] and kind < best[1]):
        best[0] = size
        best[1] = kind
        best[2] = target
        best[3] = source
    return False


@kernel
def _note(size: int, kind: int, target: int, source: int, notes: Row) -> bool:
    """Record a step; True if there is no space."""
    at = 1 + NOTE_WIDTH * notes[0]
    notes[at] = size
    notes[at + 1] = kind
    notes[at + 2] = target
    notes[at + 3] = source
    notes[0] += 1
    return bool(notes[0] == NOTES)


@kernel
def _mark_branches(nets: Nets, branches: int, kind: int, target: int) -> None:
    """Mark what explains the end of each branch from nets.starts."""
    for branch in range(branches):
        start = nets.starts[branch]
        if kind == CONTRADICTION:
            mark(nets.arena, nets.table[start, CLASH], nets.stack)
            mark(nets.arena, nets.table[start, CLASH + 1], nets.stack)
        else:
            mark(nets.arena, nets.where[nets.table[start, ROW], target], nets.stack)


@kernel
def _nested_size(nets: Nets, branches: int, kind: int, target: int) -> int:
    """Return the lengths of the different chains nested in a step."""
    _mark_branches(nets, branches, kind, target)
    total = 0
    count = 0
    known = np.empty(nets.lemmas[COUNT], dtype=np.int64)
    for branch in range(branches):
        record = nets.table[nets.starts[branch], BEGIN]
        while record < nets.table[nets.starts[branch], END]:
            lemma = nets.arena[record + CAUSE] - BY_LEMMA
            if nets.arena[record + MARK] and lemma >= 0:
                header = FIRST_HEADER + lemma * WIDTH
                first, last = nets.lemmas[header + LINK_FACTS], nets.lemmas[header + LINK_FACTS + 1]
                name = nets.names[lemma]
                for at in range(first, 0 if name else last):
                    name = (name * 31 + int(nets.lemmas[at]) + 2) % 1_000_000_007
                nets.names[lemma] = name
                new = last > first
                for index in range(count):
                    new = new and known[index] != name
                if new:
                    known[count] = name
                    count += 1
                    total += nets.lemmas[header + SIZE]
            nets.arena[record + MARK] = 0
            record = next_record(nets.arena, record)
    return total


@kernel
def _put_step(
    position: State, limits: Limits, size: int, kind: int, target: int, source: int, nets: Nets, out: Steps
) -> None:
    """Begin the step and write its effect, its premise, its branches and the lemmas they use."""
    branches = _branches(position, kind, source, nets.starts)
    _mark_branches(nets, branches, kind, target)
    lemma_at = np.empty(nets.lemmas[COUNT], dtype=np.int32)
    lemma_at[:] = -1
    for branch in range(branches if len(lemma_at) else 0):
        record = nets.table[nets.starts[branch], BEGIN]
        while record < nets.table[nets.starts[branch], END]:
            lemma = nets.arena[record + CAUSE] - BY_LEMMA
            if nets.arena[record + MARK] and lemma >= 0 and lemma_at[lemma] < 0:
                lemma_at[lemma] = copy_lemma(nets.lemmas, lemma, out)
            record = next_record(nets.arena, record)
    effect = target if target >= 0 else source ^ 1
    digit = (effect >> 1) % 9
    deeper = limits[LEVEL] - NESTED_LEVEL
    variant = kind + (TENTHS_A_LEVEL * 10 * deeper if deeper > 0 else 0)
    begin(out, limits[KEY], variant, 1 << digit, size)
    if effect & 1:
        put_placed(out, effect // 18, digit)
    else:
        put_removed(out, position, effect // 18, digit)
    if kind == BY_CANDIDATES:
        put_cell(out, PATTERN, position[CANDIDATES + source], source)
    elif kind == BY_PLACES:
        put_house(out, BASE, 1 << (source % 9), source // 9)
    for branch in range(branches):
        start = nets.starts[branch]
        put_marked(out, nets.arena, nets.table[start, BEGIN], nets.table[start, END], lemma_at)


# No limit, except for nested chains: from each candidate every other is reached once, by one path.
_net = partial(
    Technique, scan=scan_nets, family=Family.FORCING, tier=5, bound=SHORT, template_name="net", rare=True
)
_deep_net = partial(_net, scan=scan_deep_nets)
VERITY: Final = DOUBLE | BY_CANDIDATES | BY_PLACES
EITHER: Final = VERITY | CONTRADICTION

ENTRIES: Final = (
    _net("nishio", N_("Nishio"), limits={"kinds": CONTRADICTION | ONE_DIGIT, "level": DYNAMIC_LEVEL}),
    _net(
        "cell_forcing_chain",
        N_("Cell Forcing Chain"),
        limits={"kinds": BY_CANDIDATES},
        # One rule class with region forcing chains.
        paths={"explainer": {"kinds": BY_CANDIDATES | BY_PLACES}},
    ),
    _net("region_forcing_chain", N_("Region Forcing Chain"), limits={"kinds": BY_PLACES}),
    _net(
        "double_forcing_chain", N_("Double Forcing Chain"), limits={"kinds": DOUBLE, "level": DYNAMIC_LEVEL}
    ),
    _net(
        "dynamic_forcing_chain",
        N_("Dynamic Forcing Chain"),
        limits={"kinds": EITHER, "level": DYNAMIC_LEVEL},
    ),
    _deep_net(
        "dynamic_forcing_chain_plus",
        N_("Dynamic Forcing Chain (+)"),
        limits={"kinds": EITHER, "level": PLUS_LEVEL},
    ),
    _deep_net(
        "nested_forcing_chain",
        N_("Nested Forcing Chain"),
        bound=MOST_SPENT,
        limits={"kinds": EITHER, "level": NESTED_LEVEL, "deepest": DEEPEST_LEVEL},
    ),
    _net(
        "forcing_chain_contradiction",
        N_("Forcing Chain Contradiction"),
        limits={"kinds": CONTRADICTION | PAIRS},
    ),
    _net(
        "forcing_net_verity",
        N_("Forcing Net Verity"),
        limits={"kinds": VERITY, "level": DYNAMIC_LEVEL},
        paths={"hodoku": {"kinds": EITHER}},
    ),
)

_KNOWN: Final = {entry.key: entry for entry in (*LOCKED, *SUBSETS, *FISH, *CYCLES, *ENTRIES)}
# Techniques that may arise under an assumption from PLUS_LEVEL on, in the Explainer's order: int32[8,
# LIMITS_SIZE].
RULES: Final = np.stack(
    [
        _KNOWN[key].limits_for(_KNOWN[key].on_path("explainer"))
        for key in (
            "pointing",
            "claiming",
            "hidden_pair",
            "naked_pair",
            "x_wing",
            "forcing_chain",
            "cell_forcing_chain",
            "dynamic_forcing_chain",
        )
    ]
)
