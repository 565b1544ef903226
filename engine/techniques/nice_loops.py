"""Alternating chains from one end to the other, and loops: X-chains, XY-chains, AIC and nice loops.

All start from a literal of the implication graph; the keys differ in the links they allow, in where they
start and in what must be met at the end. Grouped forms have groups and almost locked sets among their
nodes.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.almost_locked import (
    ALS_DIGITS,
    ALS_ROOM,
    ALS_WIDTH,
    SEERS,
    WORDS,
    AlsTable,
    collect_almost_locked,
)
from engine.kernels.bits import count_ones, trailing_zeros
from engine.kernels.state import CANDIDATES, State
from engine.kernels.state import CELLS as DIGIT_CELLS
from engine.kernels.steps import (
    ALL,
    BY_ALS,
    FULL,
    PAST_BOUND,
    Steps,
    begin,
    commit,
    discard,
    put_cell,
    put_link,
    put_removed,
    put_removed_mask,
)
from engine.kernels.steps import COUNT as FOUND
from engine.techniques.closure import (
    Closure,
    Parts,
    closure_of,
    component_of,
    leads_to,
    no_closure,
    no_parts,
    nodes_on,
    parts_of,
    within,
)
from engine.techniques.entry import ALS, N_, SHORT, Family, Technique
from engine.techniques.graph import (
    CANDIDATE_NODES,
    NODE_LITERALS,
    NODES,
    Graph,
    build,
    digit_of,
    explore,
    first_cell,
    forget,
    with_locks,
    with_set_links,
)
from engine.techniques.implications import (
    ASSUMED,
    BY_CELL,
    CAUSE,
    CELLS,
    COUNT,
    FIRST_PARENT,
    HOUSES,
    LITERAL,
    NOTHING,
    Arena,
    Row,
    reset,
)
from engine.techniques.keys import NUMBER
from engine.techniques.limits import ALS_NODES, GROUPS, KEY, KINDS, LINKS, Limits

X_CHAIN: Final = NUMBER["x_chain"]
XY_CHAIN: Final = NUMBER["xy_chain"]
GROUPED_AIC: Final = NUMBER["grouped_aic"]
DISCONTINUOUS: Final = NUMBER["discontinuous_nice_loop"]
GROUPED_DISCONTINUOUS: Final = NUMBER["grouped_discontinuous_nice_loop"]
CONTINUOUS: Final = NUMBER["continuous_nice_loop"]
GROUPED_CONTINUOUS: Final = NUMBER["grouped_continuous_nice_loop"]

# Bits of limits[KINDS]: what is wanted, where paths ask for all of it in one search.
EACH_FIRST_LINK: Final = 1  # the shortest continuous loop through each first link, not only from each start
WITH_CHAINS: Final = 2
WITH_DISCONTINUOUS: Final = 4
WITH_CONTINUOUS: Final = 8

FIRST_LINKS: Final = 4  # a node has at most this many strong links, and the first weak ones stay in its cell


@kernel
def _trace(arena: Arena, record: int, path: Row) -> int:
    """Literal and cause of each record from the assumption to `record`, pair by pair; how many."""
    length = int(arena[record + COUNT])
    for index in range(length - 1, -1, -1):
        path[2 * index] = arena[record + LITERAL]
        path[2 * index + 1] = arena[record + CAUSE]
        record = arena[record + FIRST_PARENT]
    return length


@kernel
def _copy_path(path: Row, length: int, target: Row) -> None:
    """Copy the first `length` pairs of a path."""
    for index in range(2 * length):
        target[index] = path[index]


@kernel
def _put_path(path: Row, length: int, out: Steps) -> None:
    """Write a path as one branch."""
    put_link(out, NOTHING, path[0], ASSUMED)
    for index in range(1, length):
        put_link(out, path[2 * index - 2], path[2 * index], path[2 * index + 1])


@kernel
def _put_chain(position: State, sets: AlsTable, arena: Arena, record: int, path: Row, out: Steps) -> None:
    """Write the chain from its off-literal to `record`, and the other branch: its first literal on."""
    length = _trace(arena, record, path)
    _put_sets(path, length, sets, position, out)
    _put_path(path, length, out)
    put_link(out, NOTHING, path[0] | 1, ASSUMED)


@kernel
def _is_grouped(arena: Arena, record: int) -> bool:
    """Whether a node of the path is a group or a cause of it an almost locked set."""
    at = record
    for _ in range(arena[record + COUNT]):
        if arena[at + LITERAL] >> 1 >= CANDIDATE_NODES or arena[at + CAUSE] > ASSUMED:
            return True
        at = arena[at + FIRST_PARENT]
    return False


class Search(NamedTuple):
    """The graph with the nodes the limits allow, and the scratch space of `explore`."""

    sets: AlsTable  # the almost locked sets that may be nodes
    set_count: int  # how many, or -1 where they do not fit, and then nothing is searched
    graph: Graph
    where: Row
    arena: Arena
    queue: Row
    path: Row  # [2 * NODE_LITERALS]


@kernel
def _new_search(position: State, limits: Limits) -> Search:
    """A search with the nodes the limits allow."""
    sets = np.empty((ALS_ROOM if limits[ALS_NODES] else 0, ALS_WIDTH), dtype=np.int32)
    count = collect_almost_locked(position, sets) if limits[ALS_NODES] else 0
    graph = build(position, limits[GROUPS] == 1)
    if count > 0:
        graph = with_locks(graph, sets, count)
    arena = np.empty(8 * NODE_LITERALS, dtype=np.int32)
    reset(arena)
    return Search(
        sets,
        count,
        graph,
        np.zeros(NODE_LITERALS, dtype=np.int32),
        arena,
        np.empty(NODE_LITERALS, dtype=np.int32),
        np.empty(2 * NODE_LITERALS, dtype=np.int32),
    )


@kernel
def _put_sets(path: Row, length: int, sets: AlsTable, position: State, out: Steps) -> None:
    """Write the cells of the almost locked sets the path goes through, and number them in its causes."""
    used = 0
    for index in range(1, length):
        number = path[2 * index + 1] - BY_ALS
        if number < 0:
            continue
        for band in range(3):
            rest = sets[number, WORDS + band]
            while rest:
                cell = 27 * band + trailing_zeros(rest)
                rest &= rest - 1
                put_cell(out, ALS + used, position[CANDIDATES + cell], cell)
        path[2 * index + 1] = BY_ALS + used
        used += 1


@kernel
def scan_nice_loops(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """The kinds wanted, all in one graph: chains first, except where HoDoKu meets every instance."""
    grouped = limits[GROUPS] != 0
    links = HOUSES | CELLS
    if limits[KEY] == X_CHAIN:
        links = HOUSES
    elif limits[KEY] == XY_CHAIN:
        links = CELLS
    search = _new_search(position, limits)
    if search.set_count < 0:
        out[FULL] = PAST_BOUND
        return
    kinds = limits[KINDS]
    # Without groups the searches for chains are so short that the closure costs more than it saves.
    plain = kinds == WITH_CHAINS and not grouped
    parts = no_parts() if plain else parts_of(search.graph, links)
    closure = closure_of(parts) if kinds & WITH_DISCONTINUOUS or not plain else no_closure()
    for turn in range(3):
        kind = WITH_CHAINS << (turn if mode != ALL else 2 - turn)
        if not kinds & kind:
            continue
        if kind == WITH_CHAINS:
            _scan_chains(position, limits, links, search, closure, mode, out)
        elif kind == WITH_DISCONTINUOUS:
            _scan_discontinuous(position, limits, search, closure, mode, out)
        else:
            _scan_continuous(position, limits, search, parts, mode, out)
        if out[FULL] or (mode != ALL and out[FOUND]):
            return


@kernel
def _scan_chains(
    position: State, limits: Limits, links: int, search: Search, closure: Closure, mode: int, out: Steps
) -> None:
    """X-chains, XY-chains and AIC: one end is on, so what both ends exclude goes."""
    key = limits[KEY]
    grouped = key == GROUPED_AIC
    sets, graph, path = search.sets, search.graph, search.path
    where, arena, queue = search.where, search.arena, search.queue
    if search.set_count > 0:
        graph = with_set_links(graph, sets, search.set_count)
        closure = closure_of(parts_of(graph, links))
    ends = np.empty(NODES, dtype=np.int32)
    most = limits[LINKS] + 1
    best = most + 1
    best_start = -1
    best_end = -1
    for start in range(NODES):
        if graph.strong_starts[start] == graph.strong_starts[start + 1]:
            continue
        if grouped and not _may_exclude(position, graph, closure, start, ends):
            continue
        forget(arena, where)
        found = explore(graph, 2 * start, links, min(most, best - 1), where, arena, queue, -1, -1)
        for index in range(1, found):
            record = queue[index]
            end = arena[record + LITERAL] >> 1
            size = arena[record + COUNT]
            if not arena[record + LITERAL] & 1 or end <= start or size < 4:
                continue
            if grouped and not _is_grouped(arena, record):
                continue
            if mode != ALL and size >= best:
                continue
            begin(out, key, 0, 0, size)
            _put_excluded(position, graph, start, end, links, out)
            if mode == ALL:
                _put_chain(position, sets, arena, record, path, out)
                if commit(out, mode):
                    return
            elif discard(out):
                best = size
                best_start = start
                best_end = end
    if mode != ALL and best_start >= 0:
        forget(arena, where)
        explore(graph, 2 * best_start, links, most, where, arena, queue, -1, -1)
        begin(out, key, 0, 0, best)
        _put_excluded(position, graph, best_start, best_end, links, out)
        _put_chain(position, sets, arena, where[2 * best_end + 1], path, out)
        commit(out, mode)


@kernel
def _may_exclude(position: State, graph: Graph, closure: Closure, start: int, ends: Row) -> bool:
    """Whether something goes when `start` or one of the later nodes that are on without it is on.

    ends: int32[NODES], scratch.
    """
    for index in range(nodes_on(closure, 2 * start, ends)):
        end = int(ends[index])
        if end <= start:
            continue
        digit, other = digit_of(start), digit_of(end)
        if digit == other:
            for band in range(3):
                if graph.sees[start, band] & graph.sees[end, band] & position[DIGIT_CELLS + 3 * digit + band]:
                    return True
            continue
        cell, other_cell = first_cell(graph, start), first_cell(graph, end)
        if start < CANDIDATE_NODES and end < CANDIDATE_NODES and cell == other_cell:
            if position[CANDIDATES + cell] & ~(1 << digit | 1 << other):
                return True
        elif (end < CANDIDATE_NODES and _loses(position, graph, start, other_cell, digit)) or (
            start < CANDIDATE_NODES and _loses(position, graph, end, cell, other)
        ):
            return True
    return False


@kernel
def _loses(position: State, graph: Graph, node: int, cell: int, digit: int) -> bool:
    """Whether the cell has the digit and sees all of the node."""
    seen = graph.sees[node, cell // 27] >> (cell % 27) & 1
    return bool(seen and position[CANDIDATES + cell] >> digit & 1)


@kernel
def _put_excluded(position: State, graph: Graph, start: int, end: int, links: int, out: Steps) -> None:
    """Write what goes when one of two nodes is on."""
    digit, other = digit_of(start), digit_of(end)
    if digit == other:
        for band in range(3):
            both = graph.sees[start, band] & graph.sees[end, band]
            both &= position[DIGIT_CELLS + 3 * digit + band]
            while both:
                put_removed(out, position, 27 * band + trailing_zeros(both), digit)
                both &= both - 1
    elif links == HOUSES | CELLS:
        cell, other_cell = first_cell(graph, start), first_cell(graph, end)
        if start < CANDIDATE_NODES and end < CANDIDATE_NODES and cell == other_cell:
            keep = 1 << digit | 1 << other
            put_removed_mask(out, position, cell, position[CANDIDATES + cell] & ~keep)
            return
        # Whoever holds the other's digit and sees all of the other, and is a single cell, loses it.
        if end < CANDIDATE_NODES and graph.sees[start, other_cell // 27] >> (other_cell % 27) & 1:
            put_removed(out, position, other_cell, digit)
        if start < CANDIDATE_NODES and graph.sees[end, cell // 27] >> (cell % 27) & 1:
            put_removed(out, position, cell, other)


@kernel
def _scan_discontinuous(
    position: State, limits: Limits, search: Search, closure: Closure, mode: int, out: Steps
) -> None:
    """A candidate that implies its opposite: on to off removes it, off to on removes the rest of its cell."""
    grouped = limits[GROUPS] != 0
    key = GROUPED_DISCONTINUOUS if grouped else DISCONTINUOUS
    sets, graph, path = search.sets, search.graph, search.path
    where, arena, queue = search.where, search.arena, search.queue
    most = limits[LINKS] + 1
    best = most + 1
    best_start = -1
    for start in range(2 * CANDIDATE_NODES):
        cell, digit = start // 18, (start >> 1) % 9
        if not position[CANDIDATES + cell] >> digit & 1 or not leads_to(closure, start, start ^ 1):
            continue
        forget(arena, where)
        explore(graph, start, HOUSES | CELLS, min(most, best - 1), where, arena, queue, -1, start ^ 1)
        record = where[start ^ 1]
        if not record or (grouped and not _is_grouped(arena, record)):
            continue
        size = arena[record + COUNT]
        if mode == ALL:
            _put_discontinuous(position, key, sets, start, record, size, arena, path, out)
            if commit(out, mode):
                return
        elif size < best and (start & 1 or count_ones(position[CANDIDATES + cell]) > 1):
            best = size
            best_start = start
    if mode != ALL and best_start >= 0:
        forget(arena, where)
        explore(graph, best_start, HOUSES | CELLS, most, where, arena, queue, -1, -1)
        _put_discontinuous(position, key, sets, best_start, where[best_start ^ 1], best, arena, path, out)
        commit(out, mode)


@kernel
def _put_discontinuous(
    position: State,
    key: int,
    sets: AlsTable,
    start: int,
    record: int,
    size: int,
    arena: Arena,
    path: Row,
    out: Steps,
) -> None:
    """Write the step of a chain from `start` to its opposite."""
    cell, digit = start // 18, (start >> 1) % 9
    begin(out, key, 0, 1 << digit, size)
    if start & 1:
        put_removed(out, position, cell, digit)
    else:
        put_removed_mask(out, position, cell, position[CANDIDATES + cell] & ~(1 << digit))
    length = _trace(arena, record, path)
    _put_sets(path, length, sets, position, out)
    _put_path(path, length, out)


@kernel
def _closes(graph: Graph, on: int, off: int) -> int:
    """The cause by which the node `on` turns the node `off` off, or -1."""
    if graph.lock_starts[NODES] == 0 and digit_of(on) != digit_of(off) and on // 9 != off // 9:
        return -1
    for at in range(graph.weak_starts[on], graph.weak_starts[on + 1]):
        if graph.weak[at, 0] == off:
            return int(graph.weak[at, 1])
    for at in range(graph.lock_starts[on], graph.lock_starts[on + 1]):
        if graph.locks[at, 0] == off:
            return int(graph.locks[at, 1])
    return -1


@kernel
def _overlaps(graph: Graph, path: Row, length: int, node: int) -> bool:
    """Whether the node shares a candidate with a node of the path: a loop may pass a candidate once only."""
    digit = digit_of(node)
    for index in range(length):
        other = path[2 * index] >> 1
        if digit_of(other) == digit:
            for band in range(3):
                if graph.cells[other, band] & graph.cells[node, band]:
                    return True
    return False


@kernel
def _turn(path: Row, length: int, closing: int) -> int:
    """Turn a loop that starts with an off-literal so that it starts with the next; the new closing cause."""
    first = path[0]
    new_closing = path[3]
    for index in range(length - 1):
        path[2 * index] = path[2 * index + 2]
        path[2 * index + 1] = path[2 * index + 3]
    path[2 * length - 2] = first
    path[2 * length - 1] = closing
    return int(new_closing)


@kernel
def _loop_is_grouped(path: Row, length: int) -> bool:
    """Whether a node of the loop is a group or a cause of it an almost locked set."""
    for index in range(length):
        if path[2 * index] >> 1 >= CANDIDATE_NODES or (index and path[2 * index + 1] > ASSUMED):
            return True
    return False


@kernel
def _set_removals(
    graph: Graph, sets: AlsTable, number: int, on: int, off: int, digit: int, gone: Row
) -> bool:
    """The cells that lose `digit` because a set is locked whichever of two nodes is on, in gone[0:3]."""
    entry, leave = digit_of(on), digit_of(off)
    some = False
    for band in range(3):
        cells = sets[number, SEERS + 3 * digit + band]
        if digit == entry:
            cells &= graph.sees[on, band]
        if digit == leave:
            cells &= graph.sees[off, band]
        gone[band] = cells
        some = some or cells != 0
    return some


@kernel
def _put_loop_removals(
    position: State,
    graph: Graph,
    sets: AlsTable,
    path: Row,
    length: int,
    spare: bool,
    gone: Row,
    out: Steps,
) -> None:
    """Write what every weak link of the loop removes, now that one of its ends is on.

    spare: leave what links between cells would remove from the cells of the loop, as HoDoKu does.
    """
    for index in range(0, length, 2):
        on, off, cause = path[2 * index] >> 1, path[2 * index + 2] >> 1, path[2 * index + 3]
        if cause == BY_CELL:
            cell = on // 9
            keep = 1 << digit_of(on) | 1 << digit_of(off)
            put_removed_mask(out, position, cell, position[CANDIDATES + cell] & ~keep)
        elif cause < BY_ALS:
            digit = digit_of(on)
            for band in range(3):
                cells = graph.sees[on, band] & graph.sees[off, band]
                cells &= position[DIGIT_CELLS + 3 * digit + band]
                for at in range(length if spare else 0):
                    node = path[2 * at] >> 1
                    if node < CANDIDATE_NODES and node // 9 // 27 == band:
                        cells &= ~(1 << (node // 9 % 27))
                while cells:
                    put_removed(out, position, 27 * band + trailing_zeros(cells), digit)
                    cells &= cells - 1
        else:
            number = cause - BY_ALS
            for digit in range(9):
                if not sets[number, ALS_DIGITS] >> digit & 1:
                    continue
                if _set_removals(graph, sets, number, on, off, digit, gone):
                    for band in range(3):
                        while gone[band]:
                            put_removed(out, position, 27 * band + trailing_zeros(gone[band]), digit)
                            gone[band] &= gone[band] - 1


@kernel
def _put_lock_links(
    graph: Graph,
    sets: AlsTable,
    path: Row,
    raw: Row,
    length: int,
    backwards: bool,
    gone: Row,
    out: Steps,
) -> None:
    """Write how each locked set turns off what it removes, in the branch that runs this way round."""
    for index in range(0, length, 2):
        number = raw[index + 1] - BY_ALS
        if number < 0:
            continue
        on, off = path[2 * index] >> 1, path[2 * index + 2] >> 1
        source = 2 * (off if backwards else on) + 1
        for digit in range(9):
            # What sees the source itself needs no lock.
            if digit != digit_of(source >> 1) and (
                sets[number, ALS_DIGITS] >> digit & 1
                and _set_removals(graph, sets, number, on, off, digit, gone)
            ):
                for band in range(3):
                    while gone[band]:
                        cell = 27 * band + trailing_zeros(gone[band])
                        put_link(out, source, 2 * (9 * cell + digit), path[2 * index + 3])
                        gone[band] &= gone[band] - 1


@kernel
def _put_loop(
    position: State,
    graph: Graph,
    sets: AlsTable,
    path: Row,
    length: int,
    closing: int,
    raw: Row,
    gone: Row,
    out: Steps,
) -> None:
    """Write the loop as two branches: its first literal on, and off with every link turned round."""
    for index in range(length):
        raw[index] = path[2 * index + 1] if index else -1
    _put_sets(path, length, sets, position, out)
    _put_path(path, length, out)
    _put_lock_links(graph, sets, path, raw, length, False, gone, out)
    put_link(out, NOTHING, path[0] ^ 1, ASSUMED)
    put_link(out, path[0] ^ 1, path[2 * length - 2] ^ 1, closing)
    for index in range(length - 1, 1, -1):
        put_link(out, path[2 * index] ^ 1, path[2 * index - 2] ^ 1, path[2 * index + 1])
    _put_lock_links(graph, sets, path, raw, length, True, gone, out)


@kernel
def _removing(position: State, graph: Graph, parts: Parts) -> NDArray[np.bool_]:
    """Of each component, whether a weak link inside it may remove something, as a loop through it would."""
    found = np.zeros(parts.components, dtype=np.bool_)
    for number in range(len(parts.nodes)):
        here = parts.component[2 * number + 1]
        node = parts.nodes[number]
        digit = digit_of(node)
        for at in range(graph.lock_starts[node], graph.lock_starts[node + 1]):
            if component_of(parts, 2 * graph.locks[at, 0]) == here:
                found[here] = True
        for at in range(graph.weak_starts[node], graph.weak_starts[node + 1]):
            other = graph.weak[at, 0]
            if found[here] or component_of(parts, 2 * other) != here:
                continue
            if graph.weak[at, 1] == BY_CELL:
                found[here] = count_ones(position[CANDIDATES + node // 9]) > 2
                continue
            for band in range(3):
                both = graph.sees[node, band] & graph.sees[other, band]
                if both & position[DIGIT_CELLS + 3 * digit + band]:
                    found[here] = True
    return found


@kernel
def _scan_continuous(
    position: State, limits: Limits, search: Search, parts: Parts, mode: int, out: Steps
) -> None:
    """Loops whose links hold both ways round: each weak link removes what sees both of its ends."""
    grouped = limits[GROUPS] != 0
    key = GROUPED_CONTINUOUS if grouped else CONTINUOUS
    graph = within(search.graph, parts, _removing(position, search.graph, parts))
    sets, path = search.sets, search.path
    where, arena, queue = search.where, search.arena, search.queue
    kept = np.empty(2 * NODE_LITERALS, dtype=np.int32)
    raw = np.empty(NODE_LITERALS, dtype=np.int32)
    gone = np.empty(3, dtype=np.int32)
    best = limits[LINKS] + 1
    best_closing = -1
    # Each start with all first links, then with one at a time: that finds the shortest loop through each.
    for turn in range(NODE_LITERALS * (1 + FIRST_LINKS)):
        start = turn // (1 + FIRST_LINKS)
        only = turn % (1 + FIRST_LINKS) - 1
        if only >= 0 and not limits[KINDS] & EACH_FIRST_LINK:
            continue
        node = start >> 1
        choices = graph.strong_starts[node + 1] - graph.strong_starts[node]
        if choices == 0:
            continue
        if start & 1:
            choices = graph.weak_starts[node + 1] - graph.weak_starts[node]
        if only >= choices:
            continue
        forget(arena, where)
        found = explore(graph, start, HOUSES | CELLS, best, where, arena, queue, only, -1)
        first = graph.strong_starts[node] if start & 1 else 0
        last = graph.strong_starts[node + 1] if start & 1 else 1
        for index in range(1, found):
            record = queue[index]
            end = arena[record + LITERAL] >> 1
            if not arena[record + LITERAL] & 1:
                continue
            for at in range(first, last):
                # From an on-literal the loop closes through a strong partner, from an off-literal by itself.
                partner = graph.strong[at, 0] if start & 1 else node
                size = arena[record + COUNT] + (start & 1)
                if size < 4 or size > limits[LINKS] or (mode != ALL and size >= best):
                    continue
                cause = _closes(graph, end, partner)
                if cause < 0:
                    continue
                length = _trace(arena, record, path)
                if start & 1:
                    if _overlaps(graph, path, length, partner):
                        continue
                    path[2 * length] = 2 * partner
                    path[2 * length + 1] = cause
                    length += 1
                    closing = int(graph.strong[at, 1])
                else:
                    closing = _turn(path, length, cause)
                if not _is_simple(graph, path, length) or (grouped and not _loop_is_grouped(path, length)):
                    continue
                begin(out, key, 0, 0, size)
                _put_loop_removals(position, graph, sets, path, length, False, gone, out)
                if mode == ALL:
                    _copy_path(path, length, kept)
                    _put_loop(position, graph, sets, path, length, closing, raw, gone, out)
                    if commit(out, mode):
                        return
                    _copy_path(kept, length, path)
                    begin(out, key, 0, 0, size)
                    _put_loop_removals(position, graph, sets, path, length, True, gone, out)
                    _put_loop(position, graph, sets, path, length, closing, raw, gone, out)
                    if commit(out, mode):
                        return
                elif discard(out):
                    best = size
                    best_closing = closing
                    _copy_path(path, length, kept)
    if mode != ALL and best_closing >= 0:
        begin(out, key, 0, 0, best)
        _put_loop_removals(position, graph, sets, kept, best, False, gone, out)
        _put_loop(position, graph, sets, kept, best, best_closing, raw, gone, out)
        commit(out, mode)


@kernel
def _is_simple(graph: Graph, path: Row, length: int) -> bool:
    """Whether no candidate lies in two nodes of the loop."""
    simple = True
    for index in range(1, length):
        simple = simple and not _overlaps(graph, path, index, path[2 * index] >> 1)
    return simple


# No bound: from each candidate every other is reached once, whatever the way.
_chain = partial(Technique, scan=scan_nice_loops, family=Family.CHAINS, tier=5, bound=SHORT)
_GROUPED: Final = {"links": 40, "groups": 1, "als_nodes": 1}
_LOGIC_GROUPED: Final = {"links": 12, "als_nodes": 0}
_HODOKU_GROUPED: Final = {"links": 10, "als_nodes": 0}

ENTRIES: Final = (
    _chain(
        "x_chain",
        N_("X-Chain"),
        told_by="chain",
        limits={"links": 40, "kinds": 2},
        paths={"hodoku": {"links": 20}},
    ),
    _chain(
        "xy_chain",
        N_("XY-Chain"),
        told_by="chain",
        limits={"links": 40, "kinds": 2},
        paths={"hodoku": {"links": 20}},
    ),
    _chain(
        "aic",
        N_("AIC"),
        told_by="chain",
        limits={"links": 40, "kinds": 2},
        paths={"logic": {"links": 16}, "hodoku": {"links": 10}},
        together={"kinds": 14},
    ),
    _chain(
        "discontinuous_nice_loop",
        N_("Discontinuous nice loop"),
        told_by="forcing",
        limits={"links": 40, "kinds": 4},
        paths={"logic": {"links": 16}, "hodoku": {"links": 10}},
        found_by="aic",
    ),
    _chain(
        "continuous_nice_loop",
        N_("Continuous nice loop"),
        told_by="loop",
        limits={"links": 40, "kinds": 9},
        paths={"logic": {"links": 16, "kinds": 8}, "hodoku": {"links": 10, "kinds": 8}},
        found_by="aic",
    ),
    _chain(
        "grouped_aic",
        N_("Grouped AIC"),
        told_by="chain",
        limits={**_GROUPED, "kinds": 2},
        paths={"logic": _LOGIC_GROUPED, "hodoku": _HODOKU_GROUPED},
        together={"kinds": 14},
    ),
    _chain(
        "grouped_discontinuous_nice_loop",
        N_("Grouped discontinuous nice loop"),
        told_by="forcing",
        limits={**_GROUPED, "kinds": 4},
        paths={"logic": _LOGIC_GROUPED, "hodoku": _HODOKU_GROUPED},
        found_by="grouped_aic",
    ),
    _chain(
        "grouped_continuous_nice_loop",
        N_("Grouped continuous nice loop"),
        told_by="loop",
        limits={**_GROUPED, "kinds": 9},
        paths={"logic": {**_LOGIC_GROUPED, "kinds": 8}, "hodoku": {**_HODOKU_GROUPED, "kinds": 8}},
        found_by="grouped_aic",
    ),
)
