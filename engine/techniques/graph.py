"""The implication graph of a position: candidates and groups as nodes, strong and weak links between them.

Nodes 0..728 are candidates, 9 * cell + digit. Node 729 + 54 * digit + segment is a group: the two or three
places of a digit in a segment, which is a line's part in one box (27 of rows, then 27 of columns). A
literal is 2 * node + on; a group is on when one of its cells holds the digit. Weak links lead from on to
off, strong ones from off to on. A weak link may also go through an almost locked set: whoever takes one of
its digits away locks it. A strong one may stay inside: without one digit a set holds all others.
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
    COUNT,
    FIRST_RECORD,
    LITERAL,
    TOP,
    Arena,
    Row,
    add_record,
    next_record,
    reset,
)
from engine.techniques.implications import CELLS as CELL_LINKS
from engine.techniques.implications import HOUSES as HOUSE_LINKS

CANDIDATE_NODES: Final = 729
NODES: Final = CANDIDATE_NODES + 9 * 54
NODE_LITERALS: Final = 2 * NODES

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


class Graph(NamedTuple):
    """Links in compressed rows: those of node n stand between starts[n] and starts[n + 1]."""

    cells: NDArray[np.int32]  # [NODES, 3]: the node's cells as words of 27 bits; all 0 where it is no node
    sees: NDArray[np.int32]  # [NODES, 3]: what all of its cells see
    homes: NDArray[np.int32]  # [NODES, 3]: the row, column and box that hold all of its cells, or -1
    weak: NDArray[np.int32]  # [n, 2]: node turned off, cause
    weak_starts: Row  # [NODES + 1]
    strong: NDArray[np.int32]  # [n, 2]: node turned on, cause
    strong_starts: Row  # [NODES + 1]
    locks: NDArray[np.int32]  # [n, 2]: node turned off, cause, through an almost locked set
    lock_starts: Row  # [NODES + 1]


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
    none = np.zeros((0, 2), dtype=np.int32)
    weak = np.empty((count * MOST_WEAK_LINKS if groups else count * MOST_PLAIN_LINKS, 2), dtype=np.int32)
    weak_starts = np.empty(NODES + 1, dtype=np.int32)
    strong = np.empty((4 * count, 2), dtype=np.int32)
    strong_starts = np.empty(NODES + 1, dtype=np.int32)
    none_starts = np.zeros(NODES + 1, dtype=np.int32)
    graph = Graph(cells, sees, homes, weak, weak_starts, strong, strong_starts, none, none_starts)
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
            if rest >= 0:
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
            count = add_link(graph.weak, count, other, shared_house(graph, node, other))
            cells &= cells - 1
    while segments:
        other = CANDIDATE_NODES + 54 * digit + trailing_zeros(segments)
        count = add_link(graph.weak, count, other, shared_house(graph, node, other))
        segments &= segments - 1
    return count


@kernel
def with_locks(graph: Graph, table: AlsTable, count: int) -> Graph:
    """The graph with weak links through the almost locked sets: from what sees all of one digit of a set to
    what sees all of another. Sets of one cell are left out, since cells have links of their own."""
    starts = np.zeros(NODES + 1, dtype=np.int32)
    total = 0
    for turn in range(2):  # count first, then fill
        locks = np.empty((total if turn else 0, 2), dtype=np.int32)
        total = 0
        for node in range(NODES):
            starts[node] = total
            if not exists(graph, node):
                continue
            digit = digit_of(node)
            for index in range(count):
                if table[index, ALS_SIZE] < 2 or not _sees_all(graph, node, table, index, digit):
                    continue
                for other in range(9):
                    if other == digit or not table[index, ALS_DIGITS] >> other & 1:
                        continue
                    for at in range(81 + 54):
                        target = 9 * at + other if at < 81 else CANDIDATE_NODES + 54 * other + at - 81
                        if exists(graph, target) and _sees_all(graph, target, table, index, other):
                            if turn:
                                locks[total, 0] = target
                                locks[total, 1] = BY_ALS + index
                            total += 1
        starts[NODES] = total
    return Graph(
        graph.cells,
        graph.sees,
        graph.homes,
        graph.weak,
        graph.weak_starts,
        graph.strong,
        graph.strong_starts,
        locks,
        starts,
    )


@kernel
def with_set_links(graph: Graph, table: AlsTable, count: int) -> Graph:
    """The graph with strong links inside the almost locked sets: without one of its digits a set holds all
    others, so where both stand on nodes of their own, one of the two is on."""
    starts = np.zeros(NODES + 1, dtype=np.int32)
    homes = np.full((count, 9), -1, dtype=np.int32)
    for index in range(count):
        for digit in range(9):
            if table[index, ALS_SIZE] > 1 and table[index, ALS_DIGITS] >> digit & 1:
                homes[index, digit] = _node_in_set(graph, table, index, digit)
    total = 0
    for turn in range(2):  # count first, then fill
        strong = np.empty((total if turn else 0, 2), dtype=np.int32)
        total = 0
        for node in range(NODES):
            starts[node] = total
            first, last = graph.strong_starts[node], graph.strong_starts[node + 1]
            if turn:
                strong[total : total + last - first] = graph.strong[first:last]
            total += last - first
            for index in range(count if exists(graph, node) else 0):
                if homes[index, digit_of(node)] != node:
                    continue
                for other in range(9):
                    if homes[index, other] >= 0 and homes[index, other] != node:
                        if turn:
                            strong[total, 0] = homes[index, other]
                            strong[total, 1] = BY_ALS + index
                        total += 1
        starts[NODES] = total
    return Graph(
        graph.cells,
        graph.sees,
        graph.homes,
        graph.weak,
        graph.weak_starts,
        strong,
        starts,
        graph.locks,
        graph.lock_starts,
    )


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
def _rest_of_house(position: State, graph: Graph, node: int, digit: int, house: int) -> int:
    """The node that makes up all other places of the digit in the house, or -1."""
    rest = position[PLACES + 27 * digit + house]
    count = 0
    first = -1
    rows = 0
    columns = 0
    last_row = -1
    last_column = -1
    box = -1
    boxes = 0
    while rest:
        cell = HOUSE_CELLS[house, trailing_zeros(rest)]
        rest &= rest - 1
        if graph.cells[node, cell // 27] >> (cell % 27) & 1:
            continue
        if count == 0:
            first = cell
        count += 1
        if CELL_HOUSES[cell, 0] != last_row:
            rows += 1
        if CELL_HOUSES[cell, 1] != last_column:
            columns += 1
        if CELL_HOUSES[cell, 2] != box:
            boxes += 1
        last_row, last_column, box = CELL_HOUSES[cell, 0], CELL_HOUSES[cell, 1], CELL_HOUSES[cell, 2]
    if count == 1:
        return 9 * first + digit
    if count == 0 or boxes > 1 or count > 3:
        return -1
    # A column's cells alternate nothing: within one box, equal columns follow each other only in one column.
    if rows == 1:
        segment = 3 * (first // 9) + first % 9 // 3
    elif columns == 1:
        segment = 27 + 3 * (first % 9) + first // 27
    else:
        return -1
    group = CANDIDATE_NODES + 54 * digit + segment
    size = 0
    for band in range(3):
        size += count_ones(graph.cells[group, band])
    return group if size == count else -1


@kernel
def forget(arena: Arena, where: Row) -> None:
    """Forget what the last call of `explore` derived; it leaves every other literal of `where` at 0."""
    record = FIRST_RECORD
    while record < arena[TOP]:
        where[arena[record + LITERAL]] = 0
        record = next_record(arena, record)
    reset(arena)


@kernel
def explore(
    graph: Graph,
    start: int,
    links: int,
    most: int,
    where: Row,
    arena: Arena,
    queue: Row,
    only: int,
    goal: int,
) -> int:
    """Derive what follows from the literal `start`, breadth first; how many records there are in the queue.

    links: HOUSES, CELLS as in implications.spread.  most: leave out chains of more literals.  where:
    int32[NODE_LITERALS], as `forget` leaves it.  queue: int32[NODE_LITERALS], the records in order,
    but those of off-literals from which no strong link leads.
    only: the number of the one weak or strong link to go from `start`, or -1.  goal: the literal to stop
    at, or -1.
    """
    where[start] = add_record(arena, start, ASSUMED, 0)
    queue[0] = where[start]
    head = 0
    tail = 1
    while head < tail and (goal < 0 or not where[goal]):
        record = queue[head]
        head += 1
        if arena[record + COUNT] >= most:
            continue
        literal = arena[record + LITERAL]
        node = literal >> 1
        starts = graph.weak_starts if literal & 1 else graph.strong_starts
        first, last = starts[node], starts[node + 1]
        if only >= 0 and head == 1:
            first += only
            last = first + 1
        if literal & 1:
            for at in range(first, last):
                target = 2 * graph.weak[at, 0]
                if not where[target] and (graph.weak[at, 1] != BY_CELL or links & CELL_LINKS):
                    where[target] = add_record(arena, target, graph.weak[at, 1], record)
                    if graph.strong_starts[target >> 1] < graph.strong_starts[(target >> 1) + 1]:
                        queue[tail] = where[target]
                        tail += 1
            for at in range(graph.lock_starts[node], graph.lock_starts[node + 1]):
                target = 2 * graph.locks[at, 0]
                if not where[target]:
                    where[target] = add_record(arena, target, graph.locks[at, 1], record)
                    queue[tail] = where[target]
                    tail += 1
        else:
            for at in range(first, last):
                target = 2 * graph.strong[at, 0] + 1
                wanted = CELL_LINKS if graph.strong[at, 1] == BY_CELL else HOUSE_LINKS
                if not where[target] and links & wanted:
                    where[target] = add_record(arena, target, graph.strong[at, 1], record)
                    queue[tail] = where[target]
                    tail += 1
    return tail
