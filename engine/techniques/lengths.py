"""How long the shortest chain from a literal to its opposite is, of all literals at once.

Strong links follow weak ones, so what follows from a literal by chains of n + 2 is joined from what follows
from its neighbors by chains of n. As bits that takes a few microseconds for all literals together, and then
only those are searched from that have a chain.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.kernels._jit import kernel
from engine.kernels.state import CANDIDATES, State
from engine.techniques.closure import Links
from engine.techniques.implications import CELLS, HOUSES, Row

BITS: Final = 62  # nodes looked for together, as bits of a word without its sign


@kernel
def opposite_lengths(
    position: State, links: Links, allowed: int, longest: int, shortest: bool, lengths: Row
) -> int:
    """Write how many literals the shortest chain from each literal of a graph to its opposite has.

    Returns the fewest of any, or `longest`.

    links: all of chains passed through.  allowed: HOUSES and CELLS, as in `explore`.  longest: the most
    literals a chain may have.  shortest: the fewest of any are wanted, so of more than what is returned only
    some are written.  lengths: int32[LITERALS], 0 where there is no chain. Candidates alone in their cells
    are no matter for what is returned.
    """
    count, passed = len(links.nodes), links.passed
    links_to = links.links_to
    first_link = np.empty(2 * count, dtype=np.int32)
    end_of_links = np.empty(2 * count, dtype=np.int32)
    for literal in range(2 * count):
        start = links.links_from[literal]
        first_link[literal] = start if allowed & CELLS else start + links.in_cell[literal]
        all_of_them = literal & 1 or allowed & HOUSES
        end_of_links[literal] = (
            links.links_from[literal + 1] if all_of_them else start + links.in_cell[literal]
        )
    lengths[:] = 0
    sees = np.empty(count, dtype=np.int64)  # the nodes looked for that a node sees
    joined = np.empty(passed, dtype=np.int64)  # those on by a strong link from a node
    known = np.empty(passed, dtype=np.int64)  # those on by chains of the length reached, once a node is off
    follow = np.empty(count, dtype=np.int64)  # likewise once it is on
    for first in range(0, passed, BITS):
        for node in range(count):
            sees[node] = _bits(first_link, end_of_links, links_to, 2 * node + 1, first)
        for node in range(passed):
            joined[node] = _bits(first_link, end_of_links, links_to, 2 * node, first)
            known[node] = joined[node]
        for length in range(4, longest + 1, 2):
            found = False
            for node in range(count):
                bits = np.int64(0)
                for at in range(first_link[2 * node + 1], end_of_links[2 * node + 1]):
                    bits |= known[links_to[at] >> 1]
                follow[node] = bits
                if bits & sees[node]:
                    found = _note(position, 2 * links.nodes[node] + 1, length, lengths) or found
            more = False
            for node in range(passed):
                bits = joined[node]
                for at in range(first_link[2 * node], end_of_links[2 * node]):
                    bits |= follow[links_to[at] >> 1]
                more = more or bits != known[node]
                known[node] = bits
                if first <= node < first + BITS and bits >> (node - first) & 1:
                    found = _note(position, 2 * links.nodes[node], length, lengths) or found
            if found and shortest:
                longest = length
            if not more or (found and shortest):
                break
    return longest


@kernel
def _bits(first_link: Row, end_of_links: Row, links_to: Row, literal: int, first: int) -> int:
    """The nodes from number `first` on that links from a literal lead to, as bits."""
    bits = np.int64(0)
    for at in range(first_link[literal], end_of_links[literal]):
        node = links_to[at] >> 1
        if first <= node < first + BITS:
            bits |= np.int64(1) << (node - first)
    return int(bits)


@kernel
def _note(position: State, literal: int, length: int, lengths: Row) -> bool:
    """Note a chain unless a shorter one is known; whether it was and its cell has other candidates."""
    mask = position[CANDIDATES + literal // 18]
    if 0 < lengths[literal] <= length:
        return False
    lengths[literal] = length
    return bool(mask & (mask - 1))
