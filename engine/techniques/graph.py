"""The implication graph of a position: candidates and groups as nodes, strong and weak links between them.

Nodes 0..728 are candidates, 9 * cell + digit. Node 729 + 54 * digit + segment is a group: the two or three
places of a digit in a segment, which is a line's part in one box (27 of rows, then 27 of columns). A
literal is 2 * node + on; a group is on when one of its cells holds the digit. Weak links lead from on to
off, strong ones from off to on. A weak link may also go through an almost locked set: whoever takes one of
its digits away locks it. A strong one may stay inside: without one digit a set holds all others.

`explore` is the search that all chains of a position as it is use: X-, Y- and XY-chains, AIC, nice loops,
cycles, forcing chains and the static chains of several branches.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.almost_locked import ALS_DIGITS, ALS_SIZE, SEERS, WORDS, AlsTable
from engine.kernels.bits import count_ones, trailing_zeros
from engine.kernels.state import CANDIDATES, CELLS, PLACES, State
from engine.kernels.steps import BY_ALS
from engine.kernels.tables import CELL_HOUSES, HOUSE_CELLS, PEER_WORDS, SHARED
from engine.techniques.implications import (
    ASSUMED,
    BY_CELL,
    CANDIDATE_NODES,
    COUNT,
    LITERAL,
    NODES,
    STOP,
    Row,
    Search,
    add_record,
)
from engine.techniques.implications import CELLS as CELL_LINKS
from engine.techniques.implications import HOUSES as HOUSE_LINKS

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
# What a candidate sees, and what a candidate or group sees where groups are nodes too.
MOST_PLAIN_LINKS: Final = 8 + 20
MOST_WEAK_LINKS: Final = 8 + 20 + 54

Words = NDArray[np.int32]


class Links(NamedTuple):
    """Links in compressed rows: those of node n are the rows starts[n] to starts[n + 1] of `to`."""

    to: Words  # [n, 2]: the node at the other end, and the cause
    starts: Row  # [NODES + 1]


class Graph(NamedTuple):
    """Nodes and links. What goes through an almost locked set stands behind the other links of its node."""

    cells: Words  # [NODES, 3]: the node's cells as words of 27 bits; all 0 where it is no node
    sees: Words  # [NODES, 3]: what all of its cells see
    homes: Words  # [NODES, 3]: the row, column and box that hold all of its cells, or -1
    weak: Links  # to the nodes turned off
    strong: Links  # to the nodes turned on, each once


@kernel
def digit_of(node: int) -> int:
    """The digit 0..8 of a node."""
    return node % 9 if node < CANDIDATE_NODES else (node - CANDIDATE_NODES) // 54


@kernel
def build(position: State, groups: bool) -> Graph:
    """The graph of a position, with groups as nodes or without."""
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
    weak = np.empty((count * MOST_WEAK_LINKS if groups else count * MOST_PLAIN_LINKS, 2), dtype=np.int32)
    weak_starts = np.empty(NODES + 1, dtype=np.int32)
    strong = np.empty((4 * count, 2), dtype=np.int32)
    strong_starts = np.empty(NODES + 1, dtype=np.int32)
    graph = Graph(cells, sees, homes, Links(weak, weak_starts), Links(strong, strong_starts))
    weak_count = 0
    strong_count = 0
    known = 0
    for index in range(count):
        node = int(nodes[index])
        weak_starts[known : node + 1] = weak_count
        strong_starts[known : node + 1] = strong_count
        known = node + 1
        digit = digit_of(node)
        if node < CANDIDATE_NODES:
            weak_count = _link_candidate(position, node, weak, weak_count)
            others = position[CANDIDATES + node // 9] & ~(1 << digit)
            if others and others & (others - 1) == 0:
                strong_count = add_link(
                    strong, strong_count, 9 * (node // 9) + trailing_zeros(others), BY_CELL
                )
        if groups:
            weak_count = _link_groups(position, graph, node, segments[digit], weak_count)
        for turn in range(3):
            house = int(homes[node, 2 if turn == 0 else turn - 1])
            # A node and the rest have one cell each, or three at most.
            if house < 0 or count_ones(position[PLACES + 27 * digit + house]) > (6 if groups else 2):
                continue
            rest = _rest_of_house(position, graph, node, digit, house)
            linked = rest < 0
            for at in range(strong_starts[node], strong_count):
                linked = linked or strong[at, 0] == rest
            if not linked:
                strong_count = add_link(strong, strong_count, rest, house)
    weak_starts[known:] = weak_count
    strong_starts[known:] = strong_count
    return graph


@kernel
def _add_group(position: State, node: int, cells: Words, sees: Words, homes: Words) -> bool:
    """Fill in the rows of a group; whether the position has it."""
    digit, segment = (node - CANDIDATE_NODES) // 54, (node - CANDIDATE_NODES) % 54
    home = SEGMENTS[segment, 0] // 27  # a segment lies in one band
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
def add_link(links: Words, count: int, node: int, cause: int) -> int:
    """Append a link to `node`; how many there are now."""
    links[count, 0] = node
    links[count, 1] = cause
    return count + 1


@kernel
def _link_candidate(position: State, node: int, weak: Words, count: int) -> int:
    """Append the weak links of a candidate to candidates; how many there are now."""
    cell, digit = node // 9, node % 9
    others = position[CANDIDATES + cell] & ~(1 << digit)
    while others:
        count = add_link(weak, count, 9 * cell + trailing_zeros(others), BY_CELL)
        others &= others - 1
    for turn in range(3):  # box, row, column: the order in which the Explainer looks
        house = CELL_HOUSES[cell, 2 if turn == 0 else turn - 1]
        rest = position[PLACES + 27 * digit + house]
        if turn:
            rest &= ~SHARED[house, CELL_HOUSES[cell, 2]]
        while rest:
            other = 9 * HOUSE_CELLS[house, trailing_zeros(rest)] + digit
            rest &= rest - 1
            if other != node:
                count = add_link(weak, count, other, house)
    return count


@kernel
def _link_groups(position: State, graph: Graph, node: int, segments: int, count: int) -> int:
    """Append the weak links from a candidate to groups, or from a group to all it sees; how many there are.

    segments: those in which the node's digit has a group, as bits.
    """
    digit = digit_of(node)
    for band in range(3):
        cells = graph.cells[node, band]
        while cells:
            segments &= SEEN_BY_CELL[27 * band + trailing_zeros(cells)]
            cells &= cells - 1
    for band in range(3 if node >= CANDIDATE_NODES else 0):
        cells = graph.sees[node, band] & position[CELLS + 3 * digit + band]
        while cells:
            other = 9 * (27 * band + trailing_zeros(cells)) + digit
            count = add_link(graph.weak.to, count, other, shared_house(graph, node, other))
            cells &= cells - 1
    while segments:
        other = CANDIDATE_NODES + 54 * digit + trailing_zeros(segments)
        count = add_link(graph.weak.to, count, other, shared_house(graph, node, other))
        segments &= segments - 1
    return count


@kernel
def _with_room(links: Words, count: int) -> Words:
    """The links with room for one more than `count`."""
    if count < len(links):
        return links
    longer = np.empty((2 * count + 64, 2), dtype=np.int32)
    longer[:count] = links[:count]
    return longer


@kernel
def with_locks(graph: Graph, table: AlsTable, count: int) -> Graph:
    """The graph with weak links through the almost locked sets: from what sees all of one digit of a set to
    what sees all of another. Sets of one cell are left out, since cells have links of their own."""
    starts = np.empty(NODES + 1, dtype=np.int32)
    weak = np.empty((2 * len(graph.weak.to), 2), dtype=np.int32)
    total = 0
    for node in range(NODES):
        starts[node] = total
        for at in range(graph.weak.starts[node], graph.weak.starts[node + 1]):
            weak = _with_room(weak, total)
            total = add_link(weak, total, graph.weak.to[at, 0], graph.weak.to[at, 1])
        digit = digit_of(node)
        for index in range(count if exists(graph, node) else 0):
            if table[index, ALS_SIZE] < 2 or not _sees_all(graph, node, table, index, digit):
                continue
            for other in range(9):
                if other == digit or not table[index, ALS_DIGITS] >> other & 1:
                    continue
                for at in range(81 + 54):
                    target = 9 * at + other if at < 81 else CANDIDATE_NODES + 54 * other + at - 81
                    if exists(graph, target) and _sees_all(graph, target, table, index, other):
                        weak = _with_room(weak, total)
                        total = add_link(weak, total, target, BY_ALS + index)
    starts[NODES] = total
    return Graph(graph.cells, graph.sees, graph.homes, Links(weak[:total].copy(), starts), graph.strong)


@kernel
def with_set_links(graph: Graph, table: AlsTable, count: int) -> Graph:
    """The graph with strong links inside the almost locked sets: without one of its digits a set holds all
    others, so where both stand on nodes of their own, one of the two is on."""
    starts = np.empty(NODES + 1, dtype=np.int32)
    homes = np.full((count, 9), -1, dtype=np.int32)
    for index in range(count):
        for digit in range(9):
            if table[index, ALS_SIZE] > 1 and table[index, ALS_DIGITS] >> digit & 1:
                homes[index, digit] = _node_in_set(graph, table, index, digit)
    strong = np.empty((2 * len(graph.strong.to), 2), dtype=np.int32)
    total = 0
    for node in range(NODES):
        starts[node] = total
        for at in range(graph.strong.starts[node], graph.strong.starts[node + 1]):
            strong = _with_room(strong, total)
            total = add_link(strong, total, graph.strong.to[at, 0], graph.strong.to[at, 1])
        for index in range(count if exists(graph, node) else 0):
            if homes[index, digit_of(node)] != node:
                continue
            for other in range(9):
                if homes[index, other] >= 0 and homes[index, other] != node:
                    strong = _with_room(strong, total)
                    total = add_link(strong, total, homes[index, other], BY_ALS + index)
    starts[NODES] = total
    return Graph(graph.cells, graph.sees, graph.homes, graph.weak, Links(strong[:total].copy(), starts))


@kernel
def _node_in_set(graph: Graph, table: AlsTable, index: int, digit: int) -> int:
    """The node of just those cells of a set that hold the digit, or -1."""
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
def _sees_all(graph: Graph, node: int, table: AlsTable, index: int, digit: int) -> bool:
    """Whether the node lies outside a set with its digit and sees every cell of it that holds the digit."""
    for band in range(3):
        if graph.cells[node, band] & ~table[index, SEERS + 3 * digit + band]:
            return False
    return bool(table[index, ALS_DIGITS] >> digit & 1)


@kernel
def exists(graph: Graph, node: int) -> bool:
    """Whether the position has the node."""
    return bool(graph.cells[node, 0] | graph.cells[node, 1] | graph.cells[node, 2])


@kernel
def first_cell(graph: Graph, node: int) -> int:
    """The lowest cell of a node."""
    for band in range(3):
        if graph.cells[node, band]:
            return 27 * band + trailing_zeros(graph.cells[node, band])
    return -1


@kernel
def shared_house(graph: Graph, node: int, other: int) -> int:
    """A house that holds all cells of both nodes, the box first, or -1."""
    for turn in range(3):
        kind = 2 if turn == 0 else turn - 1
        house = int(graph.homes[node, kind])
        if house >= 0 and house == graph.homes[other, kind]:
            return house
    return -1


@kernel
def weak_cause(graph: Graph, on: int, off: int) -> int:
    """The cause by which the node `on` turns the node `off` off, or -1; an almost locked set last."""
    if on < CANDIDATE_NODES and off < CANDIDATE_NODES and on // 9 == off // 9 and on != off:
        return BY_CELL
    if digit_of(on) == digit_of(off):
        house = shared_house(graph, on, off)
        if house >= 0 and not overlap(graph, on, off):
            return house
    at = int(graph.weak.starts[on + 1]) - 1
    cause = -1
    while at >= graph.weak.starts[on] and graph.weak.to[at, 1] >= BY_ALS:
        if graph.weak.to[at, 0] == off:
            cause = int(graph.weak.to[at, 1])
        at -= 1
    return cause


@kernel
def overlap(graph: Graph, node: int, other: int) -> bool:
    """Whether two nodes of one digit have a cell in common."""
    common = 0
    for band in range(3):
        common |= graph.cells[node, band] & graph.cells[other, band]
    return common != 0


@kernel
def _rest_of_house(position: State, graph: Graph, node: int, digit: int, house: int) -> int:
    """The node that makes up all other places of the digit in the house, or -1."""
    top, middle, bottom = 0, 0, 0
    last = -1
    rest = position[PLACES + 27 * digit + house]
    while rest:
        cell = HOUSE_CELLS[house, trailing_zeros(rest)]
        rest &= rest - 1
        if not graph.cells[node, cell // 27] >> (cell % 27) & 1:
            bit = 1 << (cell % 27)
            top |= bit if cell < 27 else 0
            middle |= bit if 27 <= cell < 54 else 0
            bottom |= bit if cell >= 54 else 0
            last = cell
    if last < 0:
        return -1
    if count_ones(top) + count_ones(middle) + count_ones(bottom) == 1:
        return 9 * last + digit
    # A group lies in the part of a row, or of a column, that is in one box.
    for segment in (3 * (last // 9) + last % 9 // 3, 27 + 3 * (last % 9) + last // 27):
        group = CANDIDATE_NODES + 54 * digit + segment
        cells = graph.cells[group]
        if cells[0] == top and cells[1] == middle and cells[2] == bottom:
            return group
    return -1


@kernel
def usable(literal: int, cause: int, links: int) -> bool:
    """Whether a search by `links`, HOUSES and CELLS, may follow a link of that cause from the literal."""
    if cause == BY_CELL:
        return links & CELL_LINKS != 0
    return literal & 1 != 0 or links & HOUSE_LINKS != 0


@kernel
def explore(graph: Graph, search: Search, start: int, links: int, most: int, only: int, goal: int) -> int:
    """Derive what follows from the literal `start`, each literal by a shortest chain.

    Returns how many records of on-literals stand in search.queue, in order. Off-literals are searched from
    once no on-literal is waiting; those from which no strong link leads are left out of the queue.
    links: HOUSES, CELLS as in implications.spread, STOP: stop at the first contradiction.  most: leave out
    chains of more literals.  only: the number of the one weak or strong link, but for those through almost
    locked sets, to go from `start`, or -1.  goal: the literal to stop at, or -1.
    """
    where, arena, queue = search.where, search.arena, search.queue
    search.clash[:] = 0
    stop = links & STOP
    root = add_record(arena, start, ASSUMED, 0)
    where[start] = root
    ons = start & 1
    offs = 1 - ons
    queue[NODES * offs] = root
    next_on = 0
    next_off = 0
    while (next_on < ons or next_off < offs) and (goal < 0 or not where[goal]):
        if next_on < ons:
            record = queue[next_on]
            next_on += 1
            row = graph.weak
        else:
            record = queue[NODES + next_off]
            next_off += 1
            row = graph.strong
        if arena[record + COUNT] >= most:
            continue
        literal = arena[record + LITERAL]
        first = row.starts[literal >> 1]
        for at in range(first, row.starts[(literal >> 1) + 1]):
            cause = row.to[at, 1]
            target = 2 * row.to[at, 0] + 1 - (literal & 1)
            clash = where[target ^ 1] if stop else 0
            if (where[target] and not clash) or not usable(literal, cause, links):
                continue
            if only >= 0 and record == root and at != first + only and cause < BY_ALS:
                continue
            derived = add_record(arena, target, cause, record)
            if clash:
                search.clash[0] = derived
                search.clash[1] = clash
                return ons
            where[target] = derived
            if target & 1:
                queue[ons] = derived
                ons += 1
            elif graph.strong.starts[target >> 1] < graph.strong.starts[(target >> 1) + 1]:
                queue[NODES + offs] = derived
                offs += 1
    return ons
