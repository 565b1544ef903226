"""Which chains arise under an assumption: the consequences of the new strong links.

An assumption removes candidates, so that cells and houses with more candidates are left with two: strong
links. New chains and verities pass through such a link. The closure of the position without the assumption,
computed once, has for all assumptions what follows by old links; the few new ones are joined to it here. That
takes microseconds, and avoids most searches for chains under an assumption, which take a hundred times as
long: nothing has arisen for them to find.

The result is exact if no single can be derived anymore, as after `spread`: between open literals, old chains
only pass through open ones, so what the assumption removed breaks none of them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.bits import count_ones, trailing_zeros
from ...kernels.state import CANDIDATES, PLACES, State
from ...kernels.tables import HOUSE_CELLS
from ..closure import BITS, Closure
from ..implications import Row

MOST_ARCS: Final = 2 * (81 + 9 * 27)  # each new link both ways


class Arising(NamedTuple):
    """Conclusions by the new links under an assumption, as rows of bits like those of a closure."""

    arcs: Row  # [2 * MOST_ARCS]: the literals it leads from and to; 2 * i and 2 * i + 1 are one link
    follow: NDArray[np.int64]  # [MOST_ARCS, words]: all that follows from an arc's target
    on: NDArray[np.int64]  # [nodes, words]: all that follows from a candidate being on, by number
    sources: NDArray[np.int64]  # [words]: the literals that arcs start from
    open: NDArray[np.int64]  # [words]: the literals of cells with more than one candidate
    common: NDArray[np.int64]  # [words]: scratch


@kernel
def new_arising(closure: Closure) -> Arising:
    """Return space for what arises under the assumptions of a position with that closure."""
    words = closure.reached.shape[1]
    return Arising(
        np.empty(2 * MOST_ARCS, dtype=np.int32),
        np.empty((MOST_ARCS if words else 0, words), dtype=np.int64),
        np.empty((len(closure.nodes), words), dtype=np.int64),
        np.empty(words, dtype=np.int64),
        np.empty(words, dtype=np.int64),
        np.empty(words, dtype=np.int64),
    )


@kernel
def join_new_links(position: State, now: State, closure: Closure, arising: Arising) -> int:
    """Fill `arising` with what follows from each link that is strong in `now` only; returns the number of
    arcs.

    position: of the closure, which is of all its links. now: the same with fewer candidates.
    """
    arcs, follow, words = arising.arcs, arising.follow, closure.reached.shape[1]
    count = _new_arcs(position, now, closure.number, arcs)
    for arc in range(count):
        component = closure.component[arcs[2 * arc + 1]]
        for word in range(words):
            follow[arc, word] = closure.reached[component, word]
    # Warshall's algorithm (J. ACM 9, 1962): paths through the arcs up to `middle` are in the rows.
    for middle in range(count):
        word, bit = arcs[2 * middle] // BITS, arcs[2 * middle] % BITS
        for arc in range(count):
            if follow[arc, word] >> bit & 1 and arc != middle:
                for at in range(words):
                    follow[arc, at] |= follow[middle, at]
    for word in range(words):
        arising.open[word] = 0
        arising.sources[word] = 0
    for arc in range(count):
        arising.sources[arcs[2 * arc] // BITS] |= np.int64(1) << arcs[2 * arc] % BITS
    for cell in range(81):
        rest = now[CANDIDATES + cell]
        if count_ones(rest) < 2:
            continue
        while rest:
            literal = 2 * closure.number[9 * cell + trailing_zeros(rest)]
            rest &= rest - 1
            arising.open[literal // BITS] |= np.int64(3) << literal % BITS
    return count


@kernel
def _new_arcs(position: State, now: State, number: Row, arcs: Row) -> int:
    """Write both directions of each strong link of `now` that `position` lacks; returns how many."""
    count = 0
    for cell in range(81):
        left = now[CANDIDATES + cell]
        if count_ones(left) == 2 and left != position[CANDIDATES + cell]:
            one, other = trailing_zeros(left), trailing_zeros(left & (left - 1))
            count = _add_arcs(number[9 * cell + one], number[9 * cell + other], arcs, count)
    for digit in range(9):
        for house in range(27):
            left = now[PLACES + 27 * digit + house]
            if count_ones(left) == 2 and left != position[PLACES + 27 * digit + house]:
                one = 9 * HOUSE_CELLS[house, trailing_zeros(left)] + digit
                other = 9 * HOUSE_CELLS[house, trailing_zeros(left & (left - 1))] + digit
                count = _add_arcs(number[one], number[other], arcs, count)
    return count


@kernel
def _add_arcs(one: int, other: int, arcs: Row, count: int) -> int:
    """Write the two directions of the strong link between two nodes, by number; returns the new count."""
    arcs[2 * count] = 2 * one
    arcs[2 * count + 1] = 2 * other + 1
    arcs[2 * count + 2] = 2 * other
    arcs[2 * count + 3] = 2 * one + 1
    return count + 2


@kernel
def chain_arises(arising: Arising, count: int) -> bool:
    """Whether a chain or cycle with an effect passes through one of the new links, which are `count` arcs.

    Both ends of such a link then lead to the same open literal.
    """
    for arc in range(0, count, 2):
        for word in range(len(arising.open)):
            if arising.follow[arc, word] & arising.follow[arc + 1, word] & arising.open[word]:
                return True
    return False


@kernel
def verity_arises(now: State, closure: Closure, arising: Arising, count: int) -> bool:
    """Whether some open literal follows from all candidates of a cell, three or more, or from all places of a
    digit in a house, by the new links, which are `count` arcs, or the old.
    """
    for cell in range(81):
        rest = now[CANDIDATES + cell]
        if count_ones(rest) >= 2:
            _follow_all(9 * cell, rest, closure, arising, count)
    for cell in range(81):
        rest = now[CANDIDATES + cell]
        if count_ones(rest) < 3:
            continue
        agreed = _begin_agreement(arising)
        while rest and agreed:
            agreed = _agrees(arising, closure.number[9 * cell + trailing_zeros(rest)])
            rest &= rest - 1
        if agreed:
            return True
    for digit in range(9):
        for house in range(27):
            rest = now[PLACES + 27 * digit + house]
            if count_ones(rest) < 2:
                continue
            agreed = _begin_agreement(arising)
            while rest and agreed:
                candidate = 9 * HOUSE_CELLS[house, trailing_zeros(rest)] + digit
                agreed = _agrees(arising, closure.number[candidate])
                rest &= rest - 1
            if agreed:
                return True
    return False


@kernel
def _follow_all(first: int, digits: int, closure: Closure, arising: Arising, count: int) -> None:
    """Fill the rows of arising.on for a cell's candidates. first: of its candidates. digits: a mask."""
    words = len(arising.open)
    while digits:
        node = closure.number[first + trailing_zeros(digits)]
        digits &= digits - 1
        row = closure.component[2 * node + 1]
        met = np.int64(0)
        for word in range(words):
            arising.on[node, word] = closure.reached[row, word]
            met |= closure.reached[row, word] & arising.sources[word]
        for arc in range(count if met else 0):
            source = arising.arcs[2 * arc]
            if closure.reached[row, source // BITS] >> source % BITS & 1:
                for word in range(words):
                    arising.on[node, word] |= arising.follow[arc, word]


@kernel
def _begin_agreement(arising: Arising) -> bool:
    """Start with every open literal as common; returns whether there are any."""
    found = np.int64(0)
    for word in range(len(arising.open)):
        arising.common[word] = arising.open[word]
        found |= arising.open[word]
    return bool(found)


@kernel
def _agrees(arising: Arising, node: int) -> bool:
    """Intersect the common literals with those that follow from a numbered node; returns whether any are
    left.
    """
    found = np.int64(0)
    for word in range(len(arising.open)):
        arising.common[word] &= arising.on[node, word]
        found |= arising.common[word]
    return bool(found)
