"""Alternating inference chains (AIC), their special cases X-chain and XY-chain, and nice loops.

All start from a literal of the implication graph; the keys differ in the allowed links, the starting literals
and the condition at the end. Grouped forms also have groups and almost locked sets as nodes.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.almost_locked import (
    ALS_ROOM,
    ALS_WIDTH,
    SEERS,
    AlsTable,
    collect_almost_locked,
    put_set,
)
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CANDIDATES, State
from ..kernels.state import CELLS as DIGIT_CELLS
from ..kernels.steps import (
    ALL,
    BY_ALS,
    FULL,
    PAST_BOUND,
    Steps,
    begin,
    commit,
    discard,
    put_link,
    put_removed,
    put_removed_cells,
    put_removed_mask,
)
from ..kernels.steps import COUNT as FOUND
from ..kernels.tables import SEES
from .bivalue import xy_chain_removes
from .chains import copy_path, put_path, put_way_back, trace
from .closure import (
    BITS,
    OFFS,
    Closure,
    Parts,
    closure_of,
    component_of,
    leads_to,
    links_of,
    no_closure,
    no_parts,
    parts_of,
    within,
)
from .entry import ALS, N_, SHORT, Family, Scope, Technique
from .graph import (
    CANDIDATE_NODES,
    Graph,
    Words,
    build,
    digit_of,
    explore,
    first_cell,
    lock_cause,
    overlap,
    usable,
    weak_cause,
    with_locks,
    with_set_links,
)
from .implications import (
    ASSUMED,
    BY_CELL,
    CELLS,
    COUNT,
    HOUSES,
    LITERAL,
    LITERALS,
    NODE_LITERALS,
    NODES,
    NOTHING,
    Row,
    Search,
    forget,
    new_search,
)
from .keys import NUMBER
from .limits import ALS_NODES, BARREN, GROUPS, KEY, KINDS, LINKS, Limits

X_CHAIN: Final = NUMBER["x_chain"]
XY_CHAIN: Final = NUMBER["xy_chain"]
DISCONTINUOUS: Final = NUMBER["discontinuous_nice_loop"]
GROUPED_DISCONTINUOUS: Final = NUMBER["grouped_discontinuous_nice_loop"]
CONTINUOUS: Final = NUMBER["continuous_nice_loop"]
GROUPED_CONTINUOUS: Final = NUMBER["grouped_continuous_nice_loop"]

# Bits of limits[KINDS]: what to search for, when paths search for all of it at once.
EACH_FIRST_LINK: Final = 1  # the shortest continuous loop through each first link, not only from each start
WITH_CHAINS: Final = 2
WITH_DISCONTINUOUS: Final = 4
WITH_CONTINUOUS: Final = 8

_TURNS: Final = (WITH_CHAINS, WITH_DISCONTINUOUS, WITH_CONTINUOUS)

FIRST_LINKS: Final = 4  # a node has at most this many strong links, and the first weak ones stay in its cell


class Scan(NamedTuple):
    """The parameters of a search, in the graph with the nodes that the limits allow, and its scratch
    space.
    """

    position: State
    limits: Limits
    mode: int
    out: Steps
    links: int  # HOUSES, CELLS
    grouped: bool
    sets: AlsTable  # the almost locked sets that may be nodes
    set_count: int  # how many, or -1 if they don't fit, and then nothing is searched
    graph: Graph
    search: Search
    path: Row  # [2 * NODE_LITERALS]
    kept: Row  # [2 * NODE_LITERALS]: the best path so far in mode FIRST, written at the end


@kernel
def _new_scan(position: State, limits: Limits, mode: int, out: Steps) -> Scan:
    """Return a scan with the nodes that the limits allow."""
    key = limits[KEY]
    sets = np.empty((ALS_ROOM if limits[ALS_NODES] else 0, ALS_WIDTH), dtype=np.int32)
    count = collect_almost_locked(position, sets) if limits[ALS_NODES] else 0
    graph = build(position, limits[GROUPS] == 1)
    if count > 0:
        graph = with_locks(graph, sets, count)
    return Scan(
        position,
        limits,
        mode,
        out,
        HOUSES if key == X_CHAIN else (CELLS if key == XY_CHAIN else HOUSES | CELLS),
        limits[GROUPS] != 0,
        sets,
        count,
        graph,
        new_search(),
        np.empty(2 * NODE_LITERALS, dtype=np.int32),
        np.empty(2 * NODE_LITERALS, dtype=np.int32),
    )


@kernel
def scan_aic(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Search for the wanted kinds in one graph: chains first, unless HoDoKu finds every instance."""
    if limits[KEY] == XY_CHAIN and not xy_chain_removes(position):
        return
    scan = _new_scan(position, limits, mode, out)
    if scan.set_count < 0:
        out[FULL] = PAST_BOUND
        return
    kinds = limits[KINDS]
    # For chains without groups alone, the closure costs more than it saves, unless every XY-chain is
    # searched.
    plain = kinds == WITH_CHAINS and not scan.grouped and (mode != ALL or limits[KEY] != XY_CHAIN)
    parts = no_parts() if plain else parts_of(links_of(scan.graph, scan.links, False))
    closure = closure_of(parts) if kinds & WITH_DISCONTINUOUS or not plain else no_closure()
    for turn in range(3):
        kind = _TURNS[turn if mode != ALL else 2 - turn]
        if not kinds & kind:
            continue
        if kind == WITH_CHAINS:
            _scan_chains(scan, scan.graph, closure)
        elif kind == WITH_DISCONTINUOUS:
            _scan_discontinuous(scan, closure)
        else:
            _scan_continuous(scan, parts)
        if out[FULL] or (mode != ALL and out[FOUND]):
            return


@kernel
def _put_sets(scan: Scan, path: Row, length: int) -> None:
    """Write the cells of the almost locked sets on the path, in the path's order."""
    used = 0
    for index in range(1, length):
        number = path[2 * index + 1] - BY_ALS
        if number >= 0:
            put_set(scan.out, scan.position, scan.sets, number, ALS + used)
            used += 1


@kernel
def _is_grouped(path: Row, length: int) -> bool:
    """Whether a node of the path is a group or a cause of it an almost locked set."""
    for index in range(length):
        if path[2 * index] >> 1 >= CANDIDATE_NODES or path[2 * index + 1] >= BY_ALS:
            return True
    return False


@kernel
def _scan_chains(scan: Scan, graph: Graph, closure: Closure) -> None:
    """Find X-chains, XY-chains and AIC: one end is on, so what both ends exclude is eliminated."""
    search, path, kept = scan.search, scan.path, scan.kept
    where, arena, queue, clash = search.where, search.arena, search.queue, search.clash
    # Passing a tuple copies each array header, so unpack once outside the loop.
    position, mode, out, links, grouped = scan.position, scan.mode, scan.out, scan.links, scan.grouped
    barren = scan.limits[BARREN]
    if scan.set_count > 0:
        graph = with_set_links(graph, scan.sets, scan.set_count)
        closure = closure_of(parts_of(links_of(graph, links, False)))
    sees, starts, to = graph.sees, graph.starts, graph.to
    best = scan.limits[LINKS] + 2
    for start in range(NODES if grouped else CANDIDATE_NODES):
        if barren >> digit_of(start) & 1:
            continue
        # The link inside the cell is first, so the first and the last tell whether there is a usable one.
        first, last = starts[2 * start], starts[2 * start + 1]
        if first == last or not (usable(0, to[first, 1], links) or usable(0, to[last - 1, 1], links)):
            continue
        if len(closure.component) and not _may_exclude(position, sees, closure, start, links):
            continue
        forget(arena, where)
        found = explore(graph, 2 * start, links, best - 1, where, arena, queue, clash, -1, -1)
        for index in range(found):
            record = queue[index]
            end = arena[record + LITERAL] >> 1
            size = arena[record + COUNT]
            if end <= start or size < 4 or (mode != ALL and size >= best):
                continue
            if not _excludes(position, sees, start, end, links):
                continue
            length = trace(arena, record, path)
            if grouped and not _is_grouped(path, length):
                continue
            if mode != ALL:
                best = length
                copy_path(path, length, kept)
                continue
            _put_chain(scan, graph, path, length)
            if commit(out, ALL):
                return
    if mode != ALL and best < scan.limits[LINKS] + 2:
        _put_chain(scan, graph, kept, best)
        commit(out, mode)


@kernel
def _put_excluded(position: State, graph: Graph, start: int, end: int, links: int, out: Steps) -> None:
    """Write what is eliminated if one of two nodes is on."""
    digit, other = digit_of(start), digit_of(end)
    if digit == other:
        for band in range(3):
            both = graph.sees[start, band] & graph.sees[end, band]
            put_removed_cells(out, position, digit, band, both)
    elif links == HOUSES | CELLS:
        cell, other_cell = first_cell(graph, start), first_cell(graph, end)
        if start < CANDIDATE_NODES and end < CANDIDATE_NODES and cell == other_cell:
            put_removed_mask(out, position, cell, ~(1 << digit | 1 << other))
            return
        # An end that is a single cell and sees all of the other end loses the other's digit.
        if end < CANDIDATE_NODES and _loses(position, graph.sees, start, other_cell, digit):
            put_removed(out, position, other_cell, digit)
        if start < CANDIDATE_NODES and _loses(position, graph.sees, end, cell, other):
            put_removed(out, position, cell, other)


@kernel
def _put_chain(scan: Scan, graph: Graph, path: Row, length: int) -> None:
    """Write the step of the chain from its off-literal on; the other branch is its first literal on."""
    begin(scan.out, scan.limits[KEY], 0, 0, length)
    start, end = path[0] >> 1, path[2 * length - 2] >> 1
    _put_excluded(scan.position, graph, start, end, scan.links, scan.out)
    _put_sets(scan, path, length)
    put_path(path, length, scan.out)
    put_link(scan.out, NOTHING, path[0] | 1, ASSUMED)


@kernel
def _may_exclude(position: State, sees: Words, closure: Closure, start: int, links: int) -> bool:
    """Whether anything is eliminated if `start` or one of the later nodes that are on without it is on.

    sees: of the graph.
    """
    component, reached, nodes = closure.component, closure.reached, closure.nodes
    literal = 2 * int(closure.number[start])  # an int32 would overflow when shifted
    row = component[literal]
    later = -4 << literal % BITS
    for word in range(literal // BITS, reached.shape[1]):
        rest = reached[row, word] & OFFS << 1 & later
        later = -1
        while rest:
            end = nodes[(BITS * word + trailing_zeros(rest)) >> 1]
            if _excludes(position, sees, start, end, links):
                return True
            rest &= rest - 1
    return False


@kernel
def _excludes(position: State, sees: Words, start: int, end: int, links: int) -> bool:
    """Whether anything is eliminated if one of two nodes is on; see `_put_excluded`.

    sees: of the graph.
    """
    digit, other = digit_of(start), digit_of(end)
    if digit == other:
        both = 0
        for band in range(3):
            both |= sees[start, band] & sees[end, band] & position[DIGIT_CELLS + 3 * digit + band]
        return both != 0
    if links != HOUSES | CELLS:
        return False
    if start < CANDIDATE_NODES and end < CANDIDATE_NODES:
        cell, other_cell = start // 9, end // 9
        mask = position[CANDIDATES + cell]
        if cell == other_cell:
            return bool(mask & ~(1 << digit | 1 << other))
        either = mask >> other | position[CANDIDATES + other_cell] >> digit
        return bool(SEES[cell, other_cell] and either & 1)
    if end < CANDIDATE_NODES:
        return _loses(position, sees, start, end // 9, digit)
    return start < CANDIDATE_NODES and _loses(position, sees, end, start // 9, other)


@kernel
def _loses(position: State, sees: Words, node: int, cell: int, digit: int) -> bool:
    """Whether the cell has the digit and sees all of the node."""
    seen = sees[node, cell // 27] >> (cell % 27) & 1
    return bool(seen and position[CANDIDATES + cell] >> digit & 1)


@kernel
def _scan_discontinuous(scan: Scan, closure: Closure) -> None:
    """Find candidates that imply their opposite: on to off removes it, off to on removes the rest of its
    cell.
    """
    search, path, kept = scan.search, scan.path, scan.kept
    where, arena, queue, clash = search.where, search.arena, search.queue, search.clash
    position = scan.position
    best = scan.limits[LINKS] + 2
    for start in range(LITERALS):
        mask = position[CANDIDATES + start // 18]
        if not mask >> ((start >> 1) % 9) & 1 or not leads_to(closure, start, start ^ 1):
            continue
        forget(arena, where)
        explore(scan.graph, start, scan.links, best - 1, where, arena, queue, clash, -1, start ^ 1)
        record = where[start ^ 1]
        if not record:
            continue
        length = trace(arena, record, path)
        if scan.grouped and not _is_grouped(path, length):
            continue
        if scan.mode == ALL:
            _put_discontinuous(scan, path, length)
            if commit(scan.out, ALL):
                return
        elif start & 1 or count_ones(mask) > 1:
            best = length
            copy_path(path, length, kept)
    if scan.mode != ALL and best < scan.limits[LINKS] + 2:
        _put_discontinuous(scan, kept, best)
        commit(scan.out, scan.mode)


@kernel
def _put_discontinuous(scan: Scan, path: Row, length: int) -> None:
    """Write the step of a chain from a literal to its opposite."""
    cell, digit = path[0] // 18, (path[0] >> 1) % 9
    begin(scan.out, GROUPED_DISCONTINUOUS if scan.grouped else DISCONTINUOUS, 0, 1 << digit, length)
    if path[0] & 1:
        put_removed(scan.out, scan.position, cell, digit)
    else:
        put_removed_mask(scan.out, scan.position, cell, ~(1 << digit))
    _put_sets(scan, path, length)
    put_path(path, length, scan.out)


@kernel
def _turn(path: Row, length: int, closing: int) -> int:
    """Rotate a loop that starts with an off-literal so that it starts with the next; returns the new
    closing cause.
    """
    first = path[0]
    new_closing = path[3]
    for index in range(length - 1):
        path[2 * index] = path[2 * index + 2]
        path[2 * index + 1] = path[2 * index + 3]
    path[2 * length - 2] = first
    path[2 * length - 1] = closing
    return int(new_closing)


@kernel
def _is_simple(graph: Graph, path: Row, length: int) -> bool:
    """Whether no candidate is in two nodes of the loop."""
    for index in range(1, length):
        node = path[2 * index] >> 1
        for before in range(index):
            other = path[2 * before] >> 1
            if digit_of(node) == digit_of(other) and overlap(graph.cells, node, other):
                return False
    return True


@kernel
def _locked_out(scan: Scan, number: int, on: int, off: int, digit: int, band: int) -> int:
    """Return the cells of a band that lose `digit` because a set is locked whichever of two nodes is on."""
    cells = int(scan.sets[number, SEERS + 3 * digit + band])
    if digit == digit_of(on):
        cells &= scan.graph.sees[on, band]
    if digit == digit_of(off):
        cells &= scan.graph.sees[off, band]
    return cells


@kernel
def _begin_loop(scan: Scan, path: Row, length: int, spare: bool) -> None:
    """Begin the step of a loop, which removes for each weak link what either of its ends excludes.

    spare: don't remove from the loop's own cells what links between cells exclude, as in HoDoKu.
    """
    graph, position, out = scan.graph, scan.position, scan.out
    begin(out, GROUPED_CONTINUOUS if scan.grouped else CONTINUOUS, 0, 0, length)
    for index in range(0, length, 2):
        on, off, cause = path[2 * index] >> 1, path[2 * index + 2] >> 1, path[2 * index + 3]
        if cause == BY_CELL:
            put_removed_mask(out, position, on // 9, ~(1 << digit_of(on) | 1 << digit_of(off)))
        elif cause < BY_ALS:
            for band in range(3):
                cells = graph.sees[on, band] & graph.sees[off, band]
                for at in range(length if spare else 0):
                    node = path[2 * at] >> 1
                    if node < CANDIDATE_NODES and node // 9 // 27 == band:
                        cells &= ~(1 << (node // 9 % 27))
                put_removed_cells(out, position, digit_of(on), band, cells)
        else:
            for place in range(27):
                digit, band = place // 3, place % 3
                cells = _locked_out(scan, cause - BY_ALS, on, off, digit, band)
                put_removed_cells(out, position, digit, band, cells)


@kernel
def _put_lock_links(scan: Scan, path: Row, length: int, backwards: bool) -> None:
    """Write how each locked set turns off what it removes, in the branch in this direction."""
    used = 0
    for index in range(0, length, 2):
        number = path[2 * index + 3] - BY_ALS
        if number < 0:
            continue
        on, off = path[2 * index] >> 1, path[2 * index + 2] >> 1
        source = off if backwards else on
        for place in range(27):
            digit, band = place // 3, place % 3
            # A candidate that sees the source itself needs no lock.
            cells = _locked_out(scan, number, on, off, digit, band) if digit != digit_of(source) else 0
            while cells:
                cell = 27 * band + trailing_zeros(cells)
                put_link(scan.out, 2 * source + 1, 2 * (9 * cell + digit), BY_ALS + used)
                cells &= cells - 1
        used += 1


@kernel
def _put_loop(scan: Scan, path: Row, length: int, closing: int, spare: bool) -> None:
    """Write the step of a loop: its first literal on, and off with every link reversed."""
    _begin_loop(scan, path, length, spare)
    _put_sets(scan, path, length)
    put_path(path, length, scan.out)
    _put_lock_links(scan, path, length, False)
    put_way_back(path, length, closing, scan.out)
    _put_lock_links(scan, path, length, True)


@kernel
def _removing(position: State, graph: Graph, parts: Parts) -> NDArray[np.bool_]:
    """Return for each component whether a weak link inside it may remove something, if in a loop."""
    found = np.zeros(parts.components, dtype=np.bool_)
    for number in range(len(parts.nodes)):
        here = parts.component[2 * number + 1]
        node = parts.nodes[number]
        digit = digit_of(node)
        for at in range(graph.starts[2 * node + 1], graph.starts[2 * node + 2]):
            other, cause = graph.to[at, 0] >> 1, graph.to[at, 1]
            if found[here] or component_of(parts, 2 * other) != here:
                continue
            if cause == BY_CELL:
                found[here] = count_ones(position[CANDIDATES + node // 9]) > 2
                continue
            both = 0
            for band in range(3):
                seen = graph.sees[node, band] & graph.sees[other, band]
                both |= seen & position[DIGIT_CELLS + 3 * digit + band]
            found[here] = both != 0 or cause >= BY_ALS
    return found


@kernel
def _first_links(graph: Graph, start: int) -> int:
    """Return how many links of `start` a search may begin with, without those through almost locked sets."""
    first, last = graph.starts[start], graph.starts[start + 1]
    while last > first and graph.to[last - 1, 1] >= BY_ALS:
        last -= 1
    return int(last - first)


@kernel
def _scan_continuous(scan: Scan, parts: Parts) -> None:
    """Find loops whose links hold in both directions: each weak link removes what sees both of its ends."""
    wanted = _removing(scan.position, scan.graph, parts)
    if not wanted.any():
        return
    graph = within(scan.graph, parts, wanted)
    search, path = scan.search, scan.path
    where, arena, queue, clash = search.where, search.arena, search.queue, search.clash
    cells, homes, starts, to = graph.cells, graph.homes, graph.starts, graph.to
    mode, most = scan.mode, scan.limits[LINKS]
    choices = 1 + FIRST_LINKS if scan.limits[KINDS] & EACH_FIRST_LINK else 1
    best = most + 1
    best_closing = -1
    # Each start with all first links, then with one at a time, which finds the shortest loop through each.
    for turn in range(NODE_LITERALS * choices):
        start = turn // choices
        only = turn % choices - 1
        node = start >> 1
        strong, strong_end = starts[2 * node], starts[2 * node + 1]
        if strong == strong_end or (only >= 0 and only >= _first_links(graph, start)):
            continue
        forget(arena, where)
        found = explore(graph, start, scan.links, best, where, arena, queue, clash, only, -1)
        first, last = (strong, strong_end) if start & 1 else (0, 1)
        for index in range(found):
            record = queue[index]
            size = arena[record + COUNT] + (start & 1)
            for at in range(first, last):
                if size < 4 or size > most or (mode != ALL and size >= best):
                    break
                # From an on-literal the loop closes through a strong partner, from an off-literal by itself.
                partner = to[at, 0] >> 1 if start & 1 else node
                end = arena[record + LITERAL] >> 1
                cause = weak_cause(cells, homes, end, partner)
                if cause < 0 and scan.set_count > 0:
                    cause = lock_cause(graph, end, partner)
                if cause < 0:
                    continue
                length = trace(arena, record, path)
                if start & 1:
                    path[2 * length] = 2 * partner
                    path[2 * length + 1] = cause
                    length += 1
                    closing = int(to[at, 1])
                else:
                    closing = _turn(path, length, cause)
                if not _is_simple(graph, path, length) or (scan.grouped and not _is_grouped(path, length)):
                    continue
                if mode == ALL:
                    for spare in range(2):
                        _put_loop(scan, path, length, closing, spare == 1)
                        if commit(scan.out, ALL):
                            return
                    continue
                _begin_loop(scan, path, length, False)
                if discard(scan.out):
                    best = size
                    best_closing = closing
                    copy_path(path, length, scan.kept)
    if best_closing >= 0:
        _put_loop(scan, scan.kept, best, best_closing, False)
        commit(scan.out, mode)


# No limit: from each candidate every other is reached once, by one path.
_chain = partial(Technique, scan=scan_aic, family=Family.CHAINS, tier=5, bound=SHORT)
_GROUPED: Final = {"links": 40, "groups": 1, "als_nodes": 1}
_LOGIC_GROUPED: Final = {"links": 12, "als_nodes": 0}
_HODOKU_GROUPED: Final = {"links": 16, "als_nodes": 0}

ENTRIES: Final = (
    _chain(
        "x_chain",
        N_("X-Chain"),
        scope=Scope.DIGIT,
        template_name="chain",
        limits={"links": 40, "kinds": WITH_CHAINS},
        paths={"hodoku": {"links": 20}},
    ),
    _chain(
        "xy_chain",
        N_("XY-Chain"),
        template_name="chain",
        limits={"links": 40, "kinds": WITH_CHAINS},
        paths={"hodoku": {"links": 20}},
    ),
    _chain(
        "aic",
        N_("AIC"),
        template_name="chain",
        limits={"links": 40, "kinds": WITH_CHAINS},
        paths={"logic": {"links": 16}, "hodoku": {"links": 16}},
        together={"kinds": WITH_CHAINS | WITH_DISCONTINUOUS | WITH_CONTINUOUS},
    ),
    _chain(
        "discontinuous_nice_loop",
        N_("Discontinuous Nice Loop"),
        template_name="forcing",
        limits={"links": 40, "kinds": WITH_DISCONTINUOUS},
        paths={"logic": {"links": 16}, "hodoku": {"links": 16}},
        found_by="aic",
        rare=True,
    ),
    _chain(
        "continuous_nice_loop",
        N_("Continuous Nice Loop"),
        template_name="loop",
        limits={"links": 40, "kinds": WITH_CONTINUOUS | EACH_FIRST_LINK},
        paths={
            "logic": {"links": 16, "kinds": WITH_CONTINUOUS},
            "hodoku": {"links": 16, "kinds": WITH_CONTINUOUS},
        },
        found_by="aic",
        rare=True,
    ),
    _chain(
        "grouped_aic",
        N_("Grouped AIC"),
        template_name="chain",
        limits={**_GROUPED, "kinds": WITH_CHAINS},
        paths={"logic": _LOGIC_GROUPED, "hodoku": _HODOKU_GROUPED},
        together={"kinds": WITH_CHAINS | WITH_DISCONTINUOUS | WITH_CONTINUOUS},
    ),
    _chain(
        "grouped_discontinuous_nice_loop",
        N_("Grouped Discontinuous Nice Loop"),
        template_name="forcing",
        limits={**_GROUPED, "kinds": WITH_DISCONTINUOUS},
        paths={"logic": _LOGIC_GROUPED, "hodoku": _HODOKU_GROUPED},
        found_by="grouped_aic",
        rare=True,
    ),
    _chain(
        "grouped_continuous_nice_loop",
        N_("Grouped Continuous Nice Loop"),
        template_name="loop",
        limits={**_GROUPED, "kinds": WITH_CONTINUOUS | EACH_FIRST_LINK},
        paths={
            "logic": {**_LOGIC_GROUPED, "kinds": WITH_CONTINUOUS},
            "hodoku": {**_HODOKU_GROUPED, "kinds": WITH_CONTINUOUS},
        },
        found_by="grouped_aic",
        rare=True,
    ),
)
