"""The implication graph of a position: candidates and groups as nodes, strong and weak links between them.

Nodes 0..728 are candidates, 9 * cell + digit. Node 729 + 54 * digit + segment is a group: the two or three
places of a digit in a segment, which is a line's part in one box (27 of rows, then 27 of columns). A literal
is 2 * node + on; a group is on if one of its cells holds the digit. Weak links lead from on to off, strong
ones from off to on. A weak link may also go through an almost locked set: a node that takes one of its digits
away locks it. A strong one may stay inside: without one digit a set holds all others.

`explore` is the search shared by all static chains: X-, Y- and XY-chains, AIC, nice loops, cycles, forcing
chains and the static chains of several branches.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.almost_locked import ALS_DIGITS, ALS_SIZE, SEERS, WORDS, AlsTable
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CANDIDATES, CELLS, PLACES, State
from ..kernels.steps import BY_ALS
from ..kernels.tables import CELL_HOUSES, HOUSE_CELLS, HOUSE_WORDS, PEER_WORDS, SHARED
from .implications import (
    ASSUMED,
    BY_CELL,
    COUNT,
    LITERAL,
    NODE_LITERALS,
    NODES,
    STOP,
    Arena,
    Row,
    add_record,
)
from .implications import CELLS as CELL_LINKS
from .implications import HOUSES as HOUSE_LINKS

CANDIDATE_NODES: Final = 729  # nodes of candidates come first, then those of groups

# [54, 3]: the cells of each segment, rows from left to right, then columns from the top.
SEGMENTS: Final[NDArray[np.int32]] = np.array(
    [[9 * row + 3 * part + at for at in range(3)] for row in range(9) for part in range(3)]
    + [[9 * (3 * part + at) + column for at in range(3)] for column in range(9) for part in range(3)],
    dtype=np.int32,
)
SEGMENT_WORDS: Final[NDArray[np.int32]] = np.array(
    [
        [sum(1 << cell % 27 for cell in cells if cell // 27 == band) for band in range(3)]
        for cells in SEGMENTS.tolist()
    ],
    dtype=np.int32,
)

# int64[81]: the segments a cell sees, as bits. A cell that sees two cells of a segment sees all of it.
SEEN_BY_CELL: Final[NDArray[np.int64]] = ((SEGMENT_WORDS & ~PEER_WORDS[:, None]) == 0).all(axis=2) @ (
    1 << np.arange(54, dtype=np.int64)
)
# Bounds on weak links: of a candidate, and of a candidate or group if groups are nodes too.
MOST_PLAIN_LINKS: Final = 8 + 20
MOST_WEAK_LINKS: Final = 8 + 20 + 54

Words = NDArray[np.int32]


class Graph(NamedTuple):
    """Nodes, and the links of each literal in compressed rows."""

    cells: Words  # [NODES, 3]: the node's cells as words of 27 bits; all 0 if it isn't a node
    sees: Words  # [NODES, 3]: what all of its cells see
    homes: Words  # [NODES, 3]: the row, column and box that contain all of its cells, or -1
    to: Words  # [n, 2]: a literal that follows, and the cause
    # [NODE_LITERALS + 1]: the links from literal l are the rows starts[l] to starts[l + 1] of `to`, those
    # through almost locked sets last. From an on-literal they are weak, from an off-literal strong.
    starts: Row


@kernel
def digit_of(node: int) -> int:
    """Return the digit 0..8 of a node."""
    return node % 9 if node < CANDIDATE_NODES else (node - CANDIDATE_NODES) // 54


@kernel
def build(position: State, groups: bool) -> Graph:
    """Return the graph of a position, with or without groups as nodes."""
    cells = np.zeros((NODES, 3), dtype=np.int32)
    sees = np.empty((NODES, 3), dtype=np.int32)
    homes = np.empty((NODES, 3), dtype=np.int32)
    nodes = np.empty(NODES, dtype=np.int32)
    segments = np.zeros(9, dtype=np.int64)  # of each digit, those that are groups, as bits
    count = 0
    for cell in range(81):
        mask = position[CANDIDATES + cell]
        while mask:
            node = 9 * cell + trailing_zeros(mask)
            mask &= mask - 1
            cells[node, cell // 27] = 1 << (cell % 27)
            for band in range(3):
                sees[node, band] = PEER_WORDS[cell, band]
                homes[node, band] = CELL_HOUSES[cell, band]
            nodes[count] = node
            count += 1
    for node in range(CANDIDATE_NODES, NODES if groups else CANDIDATE_NODES):
        if _add_group(position, node, cells, sees, homes):
            segments[digit_of(node)] |= np.int64(1) << (node - CANDIDATE_NODES) % 54
            nodes[count] = node
            count += 1
    links = np.empty((count * (4 + (MOST_WEAK_LINKS if groups else MOST_PLAIN_LINKS)), 2), dtype=np.int32)
    starts = np.empty(NODE_LITERALS + 1, dtype=np.int32)
    total = 0
    known = 0
    for index in range(count):
        node = int(nodes[index])
        starts[known : 2 * node + 1] = total
        known = 2 * node + 2
        digit = digit_of(node)
        others = position[CANDIDATES + node // 9] & ~(1 << digit) if node < CANDIDATE_NODES else 0
        if others and others & (others - 1) == 0:
            total = add_link(links, total, 2 * (9 * (node // 9) + trailing_zeros(others)) + 1, BY_CELL)
        for turn in range(3):
            house = int(homes[node, 2 if turn == 0 else turn - 1])
            # A node and the rest have one cell each, or three at most.
            if house < 0 or count_ones(position[PLACES + 27 * digit + house]) > (6 if groups else 2):
                continue
            rest = _rest_of_house(position, cells, node, digit, house)
            linked = rest < 0
            for at in range(starts[2 * node], total):
                linked = linked or links[at, 0] == 2 * rest + 1
            if not linked:
                total = add_link(links, total, 2 * rest + 1, house)
        starts[2 * node + 1] = total
        if node < CANDIDATE_NODES:
            total = _link_candidate(position, node, links, total)
        if groups:
            total = _link_groups(position, cells, sees, homes, node, segments[digit], links, total)
    starts[known:] = total
    return Graph(cells, sees, homes, links, starts)


@kernel
def no_graph() -> Graph:
    """Return an empty graph, for searches without one."""
    none = np.empty((0, 3), dtype=np.int32)
    return Graph(none, none, none, np.empty((0, 2), dtype=np.int32), np.empty(0, dtype=np.int32))


@kernel
def _add_group(position: State, node: int, cells: Words, sees: Words, homes: Words) -> bool:
    """Fill in the rows of a group; returns whether the position has it."""
    digit, segment = (node - CANDIDATE_NODES) // 54, (node - CANDIDATE_NODES) % 54
    home = SEGMENTS[segment, 0] // 27  # a segment is in one band
    places = position[CELLS + 3 * digit + home] & SEGMENT_WORDS[segment, home]
    if places & (places - 1) == 0:
        return False
    cells[node, home] = places
    for band in range(3):
        sees[node, band] = (1 << 27) - 1
    while places:
        cell = 27 * home + trailing_zeros(places)
        places &= places - 1
        for band in range(3):
            sees[node, band] &= PEER_WORDS[cell, band]
    across = segment < 27
    homes[node, 0] = segment // 3 if across else -1
    homes[node, 1] = -1 if across else 9 + (segment - 27) // 3
    homes[node, 2] = CELL_HOUSES[SEGMENTS[segment, 0], 2]
    return True


@kernel
def add_link(links: Words, count: int, literal: int, cause: int) -> int:
    """Append a link to `literal`; returns the new count."""
    links[count, 0] = literal
    links[count, 1] = cause
    return count + 1


@kernel
def _link_candidate(position: State, node: int, links: Words, count: int) -> int:
    """Append the weak links of a candidate to candidates; returns the new count."""
    cell, digit = node // 9, node % 9
    others = position[CANDIDATES + cell] & ~(1 << digit)
    while others:
        count = add_link(links, count, 2 * (9 * cell + trailing_zeros(others)), BY_CELL)
        others &= others - 1
    for turn in range(3):  # box, row, column: the Explainer's order
        house = CELL_HOUSES[cell, 2 if turn == 0 else turn - 1]
        rest = position[PLACES + 27 * digit + house]
        if turn:
            rest &= ~SHARED[house, CELL_HOUSES[cell, 2]]
        while rest:
            other = 9 * HOUSE_CELLS[house, trailing_zeros(rest)] + digit
            rest &= rest - 1
            if other != node:
                count = add_link(links, count, 2 * other, house)
    return count


@kernel
def _link_groups(
    position: State,
    cells: Words,
    sees: Words,
    homes: Words,
    node: int,
    segments: int,
    links: Words,
    count: int,
) -> int:
    """Append the weak links from a candidate to groups, or from a group to all it sees; returns the new
    count.

    segments: those in which the node's digit has a group, as bits.
    """
    digit = digit_of(node)
    for band in range(3):
        rest = cells[node, band]
        while rest:
            segments &= SEEN_BY_CELL[27 * band + trailing_zeros(rest)]
            rest &= rest - 1
    for band in range(3 if node >= CANDIDATE_NODES else 0):
        rest = sees[node, band] & position[CELLS + 3 * digit + band]
        while rest:
            other = 9 * (27 * band + trailing_zeros(rest)) + digit
            count = add_link(links, count, 2 * other, shared_house(homes, node, other))
            rest &= rest - 1
    while segments:
        other = CANDIDATE_NODES + 54 * digit + trailing_zeros(segments)
        count = add_link(links, count, 2 * other, shared_house(homes, node, other))
        segments &= segments - 1
    return count


@kernel
def with_locks(graph: Graph, table: AlsTable, count: int) -> Graph:
    """The graph with weak links through the almost locked sets: from what sees all of one digit of a set to
    what sees all of another. Sets of one cell are left out, since cells have links of their own."""
    starts = np.empty(NODE_LITERALS + 1, dtype=np.int32)
    links = np.empty((2 * len(graph.to), 2), dtype=np.int32)
    total = 0
    for literal in range(NODE_LITERALS):
        starts[literal] = total
        links = _with_row(graph, literal, links, total)
        total += graph.starts[literal + 1] - graph.starts[literal]
        node = literal >> 1
        digit = digit_of(node)
        for index in range(count if literal & 1 and exists(graph, node) else 0):
            if table[index, ALS_SIZE] < 2 or not _sees_all(graph.cells, node, table, index, digit):
                continue
            for other in range(9):
                if other == digit or not table[index, ALS_DIGITS] >> other & 1:
                    continue
                links = _with_room(links, total + 81 + 54)
                for at in range(81 + 54):
                    target = 9 * at + other if at < 81 else CANDIDATE_NODES + 54 * other + at - 81
                    if exists(graph, target) and _sees_all(graph.cells, target, table, index, other):
                        total = add_link(links, total, 2 * target, BY_ALS + index)
    starts[NODE_LITERALS] = total
    return Graph(graph.cells, graph.sees, graph.homes, links, starts)


@kernel
def with_set_links(graph: Graph, table: AlsTable, count: int) -> Graph:
    """The graph with strong links inside the almost locked sets: without one of its digits a set holds all
    others, so where both stand on nodes of their own, one of the two is on."""
    starts = np.empty(NODE_LITERALS + 1, dtype=np.int32)
    homes = np.full((count, 9), -1, dtype=np.int32)
    for index in range(count):
        for digit in range(9):
            if table[index, ALS_SIZE] > 1 and table[index, ALS_DIGITS] >> digit & 1:
                homes[index, digit] = _node_in_set(graph, table, index, digit)
    links = np.empty((2 * len(graph.to), 2), dtype=np.int32)
    total = 0
    for literal in range(NODE_LITERALS):
        starts[literal] = total
        links = _with_row(graph, literal, links, total)
        total += graph.starts[literal + 1] - graph.starts[literal]
        node = literal >> 1
        for index in range(count if not literal & 1 and exists(graph, node) else 0):
            if homes[index, digit_of(node)] != node:
                continue
            links = _with_room(links, total + 9)
            for other in range(9):
                if homes[index, other] >= 0 and homes[index, other] != node:
                    total = add_link(links, total, 2 * homes[index, other] + 1, BY_ALS + index)
    starts[NODE_LITERALS] = total
    return Graph(graph.cells, graph.sees, graph.homes, links, starts)


@kernel
def _with_room(links: Words, count: int) -> Words:
    """Return the links, copied if there is no space for `count`."""
    if count <= len(links):
        return links
    longer = np.empty((2 * count, 2), dtype=np.int32)
    for index in range(len(links)):
        longer[index, 0], longer[index, 1] = links[index, 0], links[index, 1]
    return longer


@kernel
def _with_row(graph: Graph, literal: int, links: Words, total: int) -> Words:
    """Return the first `total` links followed by those from `literal`."""
    first, last = graph.starts[literal], graph.starts[literal + 1]
    links = _with_room(links, total + last - first)
    for index in range(last - first):
        links[total + index, 0], links[total + index, 1] = (
            graph.to[first + index, 0],
            graph.to[first + index, 1],
        )
    return links


@kernel
def _node_in_set(graph: Graph, table: AlsTable, index: int, digit: int) -> int:
    """Return the node of exactly those cells of a set that have the digit, or -1."""
    cells = np.zeros(3, dtype=np.int32)
    size = 0
    last = 0
    for band in range(3):
        rest = table[index, WORDS + band]
        while rest:
            cell = 27 * band + trailing_zeros(rest)
            rest &= rest - 1
            if exists(graph, 9 * cell + digit):
                cells[band] |= 1 << (cell % 27)
                size += 1
                last = cell
    if size == 1:
        return 9 * last + digit
    for segment in range(54):
        node = CANDIDATE_NODES + 54 * digit + segment
        if (
            cells[0] == graph.cells[node, 0]
            and cells[1] == graph.cells[node, 1]
            and cells[2] == graph.cells[node, 2]
        ):
            return node
    return -1


@kernel
def _sees_all(cells: Words, node: int, table: AlsTable, index: int, digit: int) -> bool:
    """Whether the node is outside a set with its digit and sees every cell of it that has the digit."""
    for band in range(3):
        if cells[node, band] & ~table[index, SEERS + 3 * digit + band]:
            return False
    return bool(table[index, ALS_DIGITS] >> digit & 1)


@kernel
def exists(graph: Graph, node: int) -> bool:
    """Whether the position has the node."""
    return bool(graph.cells[node, 0] | graph.cells[node, 1] | graph.cells[node, 2])


@kernel
def first_cell(graph: Graph, node: int) -> int:
    """Return the lowest cell of a node."""
    for band in range(3):
        if graph.cells[node, band]:
            return 27 * band + trailing_zeros(graph.cells[node, band])
    return -1


@kernel
def shared_house(homes: Words, node: int, other: int) -> int:
    """Return a house that contains all cells of both nodes, the box first, or -1."""
    for turn in range(3):
        kind = 2 if turn == 0 else turn - 1
        house = int(homes[node, kind])
        if house >= 0 and house == homes[other, kind]:
            return house
    return -1


@kernel
def weak_cause(cells: Words, homes: Words, on: int, off: int) -> int:
    """Return the cause by which the node `on` turns the node `off` off, or -1; without almost locked sets.

    cells, homes: of the graph, passed separately since passing a tuple copies each array header.
    """
    if on < CANDIDATE_NODES and off < CANDIDATE_NODES and on // 9 == off // 9:
        return BY_CELL if on != off else -1
    if digit_of(on) != digit_of(off) or overlap(cells, on, off):
        return -1
    return shared_house(homes, on, off)


@kernel
def lock_cause(graph: Graph, on: int, off: int) -> int:
    """Return the cause by which the node `on` turns the node `off` off through an almost locked set, or
    -1.
    """
    at = int(graph.starts[2 * on + 2]) - 1
    cause = -1
    while at >= graph.starts[2 * on + 1] and graph.to[at, 1] >= BY_ALS:
        if graph.to[at, 0] == 2 * off:
            cause = int(graph.to[at, 1])
        at -= 1
    return cause


@kernel
def overlap(cells: Words, node: int, other: int) -> bool:
    """Whether two nodes of one digit share a cell."""
    common = 0
    for band in range(3):
        common |= cells[node, band] & cells[other, band]
    return common != 0


@kernel
def _rest_of_house(position: State, cells: Words, node: int, digit: int, house: int) -> int:
    """Return the node that makes up all other places of the digit in the house, or -1."""
    top = position[CELLS + 3 * digit] & HOUSE_WORDS[house, 0] & ~cells[node, 0]
    middle = position[CELLS + 3 * digit + 1] & HOUSE_WORDS[house, 1] & ~cells[node, 1]
    bottom = position[CELLS + 3 * digit + 2] & HOUSE_WORDS[house, 2] & ~cells[node, 2]
    count = count_ones(top) + count_ones(middle) + count_ones(bottom)
    if count == 0 or count > 3:
        return -1
    band = 0 if top else 1 if middle else 2
    cell = 27 * band + trailing_zeros(top or middle or bottom)
    if count == 1:
        return int(9 * cell + digit)
    # A group is in the part of a row, or of a column, in one box.
    for segment in (3 * (cell // 9) + cell % 9 // 3, 27 + 3 * (cell % 9) + band):
        group = CANDIDATE_NODES + 54 * digit + segment
        if cells[group, 0] == top and cells[group, 1] == middle and cells[group, 2] == bottom:
            return int(group)
    return -1


@kernel
def usable(literal: int, cause: int, links: int) -> bool:
    """Whether a search by `links`, HOUSES and CELLS, may follow a link with that cause from the literal."""
    if cause == BY_CELL:
        return links & CELL_LINKS != 0
    return literal & 1 != 0 or links & HOUSE_LINKS != 0


@kernel
def explore(
    graph: Graph,
    start: int,
    links: int,
    most: int,
    where: Row,
    arena: Arena,
    queue: Row,
    clash_pair: Row,
    only: int,
    goal: int,
) -> int:
    """Derive what follows from the literal `start`, each literal by a shortest chain.

    Returns the number of records of on-literals in `queue`, in order. Off-literals are searched from once no
    on-literal is waiting; those without outgoing strong links aren't queued.
    where, arena, queue, clash_pair: as in Search, passed separately since passing a tuple copies each array
    header.
    links: HOUSES, CELLS, and STOP to stop at the first contradiction. most: leave out chains of more
    literals. only: the number of the one weak or strong link to start with, or -1; links through almost
    locked sets have none. goal: the literal to stop at, or -1.
    """
    to, starts = graph.to, graph.starts
    clash_pair[0] = 0
    clash_pair[1] = 0
    stop = links & STOP
    by_cell, by_house = links & CELL_LINKS != 0, links & HOUSE_LINKS != 0
    where[start] = add_record(arena, start, ASSUMED, 0)
    ons = start & 1
    offs = 1 - ons
    queue[NODES * offs] = where[start]
    next_on = 0
    next_off = 0
    while (next_on < ons or next_off < offs) and (goal < 0 or not where[goal]):
        on = next_on < ons
        record = queue[next_on] if on else queue[NODES + next_off]
        next_on += on
        next_off += not on
        if arena[record + COUNT] >= most:
            continue
        literal = arena[record + LITERAL]
        first, last = starts[literal], starts[literal + 1]
        lone = first + only if only >= 0 and record == where[start] else -1
        for at in range(first, last):
            target = to[at, 0]
            clash = where[target ^ 1] if stop else 0
            if where[target] and not clash:
                continue
            cause = to[at, 1]
            if not (by_cell if cause == BY_CELL else on or by_house):
                continue
            if lone >= 0 and at != lone and cause < BY_ALS:
                continue
            derived = add_record(arena, target, cause, record)
            if clash:
                clash_pair[0] = derived
                clash_pair[1] = clash
                return ons
            where[target] = derived
            if target & 1:
                queue[ons] = derived
                ons += 1
            elif starts[target] < starts[target + 1]:
                queue[NODES + offs] = derived
                offs += 1
    return ons
