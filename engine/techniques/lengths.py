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
from engine.techniques.implications import Row

BITS: Final = 62  # nodes looked for together, as bits of a word without its sign


@kernel
def opposite_lengths(position: State, links: Links, longest: int, shortest: bool, lengths: Row) -> int:
    """Write how many literals the shortest chain from each literal of a graph to its opposite has.

    Returns the fewest of any, or `longest`.

    links: of chains passed through.  longest: the most literals a chain may have.  shortest: the fewest of
    any are wanted, so of more than what is returned only some are written.  lengths: int32[LITERALS], 0
    where there is no chain. Candidates alone in their cells are no matter for what is returned.
    """
    count, passed = len(links.nodes), links.passed
    links_from, links_to = links.links_from, links.links_to
    lengths[:] = 0
    sees = np.empty(count, dtype=np.int64)  # the nodes looked for that a node sees
    joined = np.empty(passed, dtype=np.int64)  # those on by a strong link from a node
    known = np.empty(passed, dtype=np.int64)  # those on by chains of the length reached, once a node is off
    follow = np.empty(count, dtype=np.int64)  # likewise once it is on
    for first in range(0, passed, BITS):
        for node in range(count):
            sees[node] = _bits(links_from, links_to, 2 * node + 1, first)
        for node in range(passed):
            joined[node] = _bits(links_from, links_to, 2 * node, first)
            known[node] = joined[node]
        for length in range(4, longest + 1, 2):
            found = False
            for node in range(count):
                bits = np.int64(0)
                for at in range(links_from[2 * node + 1], links_from[2 * node + 2]):
                    bits |= known[links_to[at] >> 1]
                follow[node] = bits
                if bits & sees[node]:
                    found = _note(position, 2 * links.nodes[node] + 1, length, lengths) or found
            more = False
            for node in range(passed):
                bits = joined[node]
                for at in range(links_from[2 * node], links_from[2 * node + 1]):
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
def _bits(links_from: Row, links_to: Row, literal: int, first: int) -> int:
    """The nodes from number `first` on that links from a literal lead to, as bits."""
    bits = np.int64(0)
    for at in range(links_from[literal], links_from[literal + 1]):
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
