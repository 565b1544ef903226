"""The length of the shortest chain from each literal to its opposite, for all literals at once.

Strong links follow weak ones, so what follows from a literal by chains of n + 2 is the union of what follows
from its neighbors by chains of n. With bit sets that takes a few microseconds for all literals together, and
then only literals with a chain are searched from. Links are in flat lists, processed one at a time: loops
over each literal's own list were mispredicted, which took most of the time.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.state import CANDIDATES, State
from ..graph import CANDIDATE_NODES, Graph
from ..implications import BY_CELL, CELLS, HOUSES, Row

Sets = NDArray[np.int64]  # [WORDS * nodes]: sets of nodes

BITS: Final = 62  # nodes searched for in a word, whose sign isn't used
WORDS: Final = 2  # searched for together, as many as most positions have
AT_ONCE: Final = BITS * WORDS


class Ways(NamedTuple):
    """The links of a candidate graph that a chain to an opposite can take, both ends by number."""

    nodes: Row  # [count]: the node of each number; the first `passed` have strong links too
    passed: int
    weak_in_house: NDArray[np.int32]  # [n, 2]: from a node that chains pass through, to one they turn off
    weak_in_cell: NDArray[np.int32]  # likewise
    strong_in_house: NDArray[np.int32]  # [n, 2]: from a node that is off to one they turn on
    strong_in_cell: NDArray[np.int32]  # likewise


@kernel
def ways_of(graph: Graph) -> Ways:
    """Return the links of a graph without groups."""
    number = np.empty(CANDIDATE_NODES, dtype=np.int32)
    nodes = np.empty(CANDIDATE_NODES, dtype=np.int32)
    passed, weak, strong = 0, 0, 0
    for node in range(CANDIDATE_NODES):
        links = graph.starts[2 * node + 1] - graph.starts[2 * node]
        if links:
            number[node] = passed
            nodes[passed] = node
            passed += 1
            strong += links
            weak += graph.starts[2 * node + 2] - graph.starts[2 * node + 1]
    count = passed
    for node in range(CANDIDATE_NODES):
        if graph.starts[2 * node] == graph.starts[2 * node + 1] < graph.starts[2 * node + 2]:
            number[node] = count
            nodes[count] = node
            count += 1
    weak_in_house, weak_in_cell = _sorted(graph, 1, nodes[:passed], number, weak)
    strong_in_house, strong_in_cell = _sorted(graph, 0, nodes[:passed], number, strong)
    return Ways(nodes[:count], passed, weak_in_house, weak_in_cell, strong_in_house, strong_in_cell)


@kernel
def _sorted(
    graph: Graph, on: int, nodes: Row, number: Row, most: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the links from `nodes` that are on (1) or off (0), at most `most`: in a house, and in a cell."""
    in_house = np.empty((most, 2), dtype=np.int32)
    in_cell = np.empty((most, 2), dtype=np.int32)
    houses, cells = 0, 0
    for here in range(len(nodes)):
        first = 2 * nodes[here] + on
        for at in range(graph.starts[first], graph.starts[first + 1]):
            there = number[graph.to[at, 0] >> 1]
            if graph.to[at, 1] == BY_CELL:
                in_cell[cells, 0], in_cell[cells, 1] = here, there
                cells += 1
            else:
                in_house[houses, 0], in_house[houses, 1] = here, there
                houses += 1
    return in_house[:houses], in_cell[:cells]


@kernel
def opposite_lengths(
    position: State, ways: Ways, allowed: int, longest: int, slack: int, lengths: Row
) -> tuple[int, bool]:
    """Write the number of literals of the shortest chain from each literal of a graph to its opposite.

    Returns the fewest of any, or `longest`, and whether there may be a cycle that removes something, no
    longer than the longest chain searched for.

    allowed: HOUSES and CELLS, as in `explore`. longest: the most literals of a chain. slack: this many more
    than the fewest of any. Candidates alone in their cells don't affect the result or the slack. lengths:
    int32[LITERALS], 0 if there is no such chain.
    """
    count, passed = len(ways.nodes), ways.passed
    lengths[:] = 0
    sees = np.empty(WORDS * count, dtype=np.int64)  # the nodes searched for that a node sees
    follow = np.empty(WORDS * count, dtype=np.int64)  # those on by chains of the current length if it is on
    known = np.empty(WORDS * passed, dtype=np.int64)  # likewise if it is off
    joined = np.empty(WORDS * passed, dtype=np.int64)  # those on by a strong link from it
    own = np.empty(WORDS * passed, dtype=np.int64)  # the node itself, if it is searched for
    fewest = longest
    closes = passed > AT_ONCE
    for first in range(0, passed, AT_ONCE):
        own[:] = 0
        for node in range(first, min(first + AT_ONCE, passed)):
            own[WORDS * node + (node - first) // BITS] = np.int64(1) << (node - first) % BITS
        sees[:] = 0
        _turn_round(ways.weak_in_house, own, sees)
        joined[:] = 0
        if allowed & CELLS:
            _turn_round(ways.weak_in_cell, own, sees)
            _turn_round(ways.strong_in_cell, own, joined)
        if allowed & HOUSES:
            _turn_round(ways.strong_in_house, own, joined)
        known[:] = joined
        length = 4
        more = True
        while more and length <= min(longest, fewest + slack):
            follow[:] = 0
            _turn_round(ways.weak_in_house, known, follow)
            if allowed & CELLS:
                _turn_round(ways.weak_in_cell, known, follow)
            found = _note_met(position, ways.nodes, count, 1, follow, sees, length, lengths)
            more = _join(ways, allowed, follow, joined, known)
            found = _note_met(position, ways.nodes, passed, 0, known, own, length, lengths) or found
            if found:
                fewest = min(fewest, length)
            length += 2
        closes = closes or _closes(ways.nodes, lengths, sees, known, follow, own)
    return fewest, closes


@kernel
def _turn_round(links: NDArray[np.int32], sets: Sets, joined: Sets) -> None:
    """Join to the set of each node that links lead to the set of the node they come from.

    Links from one node are adjacent, and to different ones: so no operation waits for the previous one.
    """
    for at in range(len(links)):
        source, target = WORDS * links[at, 0], WORDS * links[at, 1]
        joined[target] |= sets[source]
        joined[target + 1] |= sets[source + 1]


@kernel
def _join(ways: Ways, allowed: int, follow: Sets, joined: Sets, known: Sets) -> bool:
    """Join what follows by two links more to what is known; returns whether anything is new."""
    before = known.copy()
    known[:] = joined
    if allowed & HOUSES:
        _turn_round(ways.strong_in_house, follow, known)
    if allowed & CELLS:
        _turn_round(ways.strong_in_cell, follow, known)
    new = np.int64(0)
    for at in range(len(known)):
        new |= known[at] ^ before[at]
    return bool(new)


@kernel
def _closes(nodes: Row, lengths: Row, sees: Sets, known: Sets, follow: Sets, own: Sets) -> bool:
    """Whether some candidate with a chain sees, from another cell, two nodes where one off leads to the other
    on, and back.

    The sets are those at the end, of all nodes.
    """
    for number in range(len(nodes)):
        if not lengths[2 * nodes[number] + 1]:
            continue
        here = WORDS * number
        for one in range(len(own) // WORDS):
            off = WORDS * one
            if not _meet(own, off, sees, here) or nodes[one] // 9 == nodes[number] // 9:
                continue
            if not _meet(known, off, sees, here):
                continue
            for other in range(len(own) // WORDS):
                on = WORDS * other
                if nodes[other] // 9 != nodes[number] // 9 and (
                    _meet(own, on, known, off)
                    and _meet(own, on, sees, here)
                    and (_meet(own, on, sees, off) or _meet(follow, on, sees, off))
                ):
                    return True
    return False


@kernel
def _meet(sets: Sets, at: int, others: Sets, there: int) -> bool:
    """Whether two sets share a node."""
    return bool(sets[at] & others[there] | sets[at + 1] & others[there + 1])


@kernel
def _note_met(
    position: State, nodes: Row, count: int, on: int, sets: Sets, wanted: Sets, length: int, lengths: Row
) -> bool:
    """Record a chain from each of the first `count` nodes whose set has a wanted one, unless a shorter one
    exists.

    Returns whether one was recorded whose cell has other candidates.
    """
    met = np.int64(0)
    for at in range(WORDS * count):
        met |= sets[at] & wanted[at]
    if not met:
        return False
    found = False
    for number in range(count):
        at = WORDS * number
        if sets[at] & wanted[at] | sets[at + 1] & wanted[at + 1]:
            literal = 2 * nodes[number] + on
            if not 0 < lengths[literal] <= length:
                lengths[literal] = length
                mask = position[CANDIDATES + literal // 18]
                found = found or mask & (mask - 1) != 0
    return found
