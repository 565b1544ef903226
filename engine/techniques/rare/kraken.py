"""Kraken Fish: one of a fish's fins must be true, and a chain leads from each fin to the same elimination.

n parallel base lines each need the digit, and n - 1 lines across have space for it n - 1 times. So one of the
places outside of these is true. Those that the eliminated candidate sees, because it is in one more line
across with them, form the body of a finned fish (type 1); else all of them are fins (type 2). Each fin rules
the candidate out by a chain of its own.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.bits import count_ones, trailing_zeros
from ...kernels.order import stable_order
from ...kernels.state import PLACES, State
from ...kernels.steps import Steps, begin, commit, put_cell, put_house, put_removed
from ..chains import put_path, trace
from ..closure import BITS, OFFS, Closure, closure_of, links_of, parts_of
from ..entry import BASE, COVER, FIN, N_, SHORT, Family, Technique
from ..entry import PATTERN as BODY
from ..graph import CANDIDATE_NODES, Graph, build, explore
from ..implications import (
    CELLS,
    COUNT,
    HOUSES,
    NODE_LITERALS,
    Search,
    forget,
    new_search,
)
from ..limits import FINS, KEY, Limits
from ..subsets import CHOICES, FROM

Row = NDArray[np.int32]
Words = NDArray[np.int64]

LARGEST: Final = 4  # bases

# Types of the fish, as variants of the step.
BY_FISH: Final = 1
BY_CHAINS: Final = 2

# The simplest fish known for a candidate: the total length of its chains, 0 if there is none, and the number
# of the digit and the direction, the base lines, the lines across and the one of these with the candidate, or
# -1.
_LENGTH: Final = 0
_NUMBER: Final = 1
_BASES: Final = 2
_COVERS: Final = 3
_OWN: Final = 4
_FISH: Final = 5


class _Kraken(NamedTuple):
    """The tables of the search and its output."""

    closure: Closure
    lengths: NDArray[np.int16]  # [729, 729]: literals of the chain from the first on to the second off, or 0
    common: Words  # [LARGEST + 1, words]: the common effects of the fins of the chosen bases
    seen: Words  # [9, words]: the common effects of each line's fins
    outside: Row  # [9]: the fins of each line, as bits
    best: Row  # [729, _FISH]


@kernel
def _follow(graph: Graph, search: Search, node: int, target: int) -> None:
    """Fill `search` with the chains from a true candidate, up to the literal `target`, or all (-1)."""
    literal = 2 * node + 1
    explore(
        graph,
        literal,
        HOUSES | CELLS,
        NODE_LITERALS,
        search.where,
        search.arena,
        search.queue,
        search.clash,
        -1,
        target,
    )


@kernel
def _measure(graph: Graph, search: Search, lengths: NDArray[np.int16]) -> None:
    """Fill `lengths` with what each true candidate rules out, and the length of the chain."""
    for node in range(CANDIDATE_NODES):
        if graph.starts[2 * node + 1] == graph.starts[2 * node + 2]:
            continue
        _follow(graph, search, node, -1)
        for other in range(CANDIDATE_NODES):
            record = search.where[2 * other]
            if record:
                lengths[node, other] = search.arena[record + COUNT]
        forget(search.arena, search.where)


@kernel
def _cell(line: int, at: int, turned: bool) -> int:
    """A cell of a base line; turned: the bases are columns."""
    return 9 * at + line if turned else 9 * line + at


@kernel
def _sees(kraken: _Kraken, digit: int, line: int, turned: bool) -> bool:
    """Compute the common effects of a line's fins; returns whether there are any."""
    closure, row = kraken.closure, kraken.seen[line]
    row[:] = OFFS
    rest = int(kraken.outside[line])
    while rest:
        node = 9 * _cell(line, trailing_zeros(rest), turned) + digit
        rest &= rest - 1
        row &= closure.reached[closure.component[2 * closure.number[node] + 1]]
    return bool(row.any())


@kernel
def _is_smaller(position: State, first: int, kraken: _Kraken, bases: int) -> bool:
    """Whether the bases without fins are a basic fish, which doesn't need the others."""
    places = 0
    count = 0
    while bases:
        line = trailing_zeros(bases)
        bases &= bases - 1
        if kraken.outside[line] == 0:
            places |= position[PLACES + first + line]
            count += 1
    return count > 0 and count_ones(places) <= count


@kernel
def _note(limits: Limits, number: int, bases: int, covers: int, kraken: _Kraken, size: int) -> None:
    """Record the fish for each candidate that all its fins rule out, unless one with shorter chains is
    known.
    """
    closure = kraken.closure
    digit, turned = number // 2, number % 2 == 1
    for word in range(len(kraken.common[size])):
        rest = kraken.common[size, word]
        while rest:
            node = int(closure.nodes[(BITS * word + trailing_zeros(rest)) >> 1])
            rest &= rest - 1
            cell = node // 9
            line, at = (cell % 9, cell // 9) if turned else (cell // 9, cell % 9)
            own = -1
            if node % 9 == digit:
                if bases >> line & 1:
                    continue
                if not covers >> at & 1:
                    own = at
            length = size
            fins = 0
            longest = 0
            lines = bases
            while lines:
                base = trailing_zeros(lines)
                lines &= lines - 1
                outside = int(kraken.outside[base])
                while outside:
                    place = trailing_zeros(outside)
                    outside &= outside - 1
                    if place != own:
                        step = int(kraken.lengths[9 * _cell(base, place, turned) + digit, node])
                        length += step
                        longest = max(longest, step)
                        fins += 1
            # If each fin sees the candidate it is a finned fish.
            if fins > limits[FINS] or longest <= 2:
                continue
            best = kraken.best[node]
            if best[_LENGTH] == 0 or length < best[_LENGTH]:
                best[_LENGTH] = length
                best[_NUMBER] = number
                best[_BASES] = bases
                best[_COVERS] = covers
                best[_OWN] = own


@kernel
def _scan_covers(
    position: State, limits: Limits, number: int, covers: int, size: int, kraken: _Kraken
) -> None:
    """Record the fish of `size` bases beside as many lines across, less one."""
    digit, turned = number // 2, number % 2 == 1
    first = 27 * digit + (9 if turned else 0)
    eligible = 0
    for line in range(9):
        places = int(position[PLACES + first + line])
        kraken.outside[line] = places & ~covers
        if places and _sees(kraken, digit, line, turned):
            eligible |= 1 << line
    if count_ones(eligible) < size:
        return
    following = np.zeros(LARGEST + 1, dtype=np.int32)  # the line to try next at each depth
    bases = np.zeros(LARGEST + 1, dtype=np.int32)
    kraken.common[0, :] = OFFS
    depth = 0
    while depth >= 0:
        line = int(following[depth])
        if line > 8:
            depth -= 1
            continue
        following[depth] += 1
        if not eligible >> line & 1:
            continue
        for word in range(len(kraken.common[depth])):
            kraken.common[depth + 1, word] = kraken.common[depth, word] & kraken.seen[line, word]
        if not kraken.common[depth + 1].any():
            continue
        bases[depth + 1] = bases[depth] | 1 << line
        if depth + 1 < size:
            depth += 1
            following[depth] = line + 1
        elif not _is_smaller(position, first, kraken, int(bases[size])):
            _note(limits, number, int(bases[size]), covers, kraken, size)


@kernel
def _put(
    position: State,
    limits: Limits,
    node: int,
    fish: Row,
    graph: Graph,
    search: Search,
    path: Row,
    out: Steps,
) -> None:
    """Write the fish recorded for a candidate, without commit."""
    digit, turned = fish[_NUMBER] // 2, fish[_NUMBER] % 2 == 1
    first = 9 if turned else 0
    own = int(fish[_OWN])
    covers = int(fish[_COVERS]) | (1 << own if own >= 0 else 0)
    begin(out, limits[KEY], BY_CHAINS if own < 0 else BY_FISH, 1 << digit, fish[_LENGTH])
    put_removed(out, position, node // 9, node % 9)
    for part in range(2):
        lines = int(fish[_BASES])
        while lines:
            line = trailing_zeros(lines)
            lines &= lines - 1
            places = int(position[PLACES + 27 * digit + first + line])
            places &= covers if part == 0 else ~covers
            while places:
                put_cell(
                    out, BODY if part == 0 else FIN, 1 << digit, _cell(line, trailing_zeros(places), turned)
                )
                places &= places - 1
    for role in (BASE, COVER):
        lines = int(fish[_BASES]) if role == BASE else covers
        while lines:
            across = turned if role == BASE else not turned
            put_house(out, role, 1 << digit, (9 if across else 0) + trailing_zeros(lines))
            lines &= lines - 1
    lines = int(fish[_BASES])
    while lines:
        line = trailing_zeros(lines)
        lines &= lines - 1
        places = int(position[PLACES + 27 * digit + first + line]) & ~covers
        while places:
            fin = 9 * _cell(line, trailing_zeros(places), turned) + digit
            places &= places - 1
            _follow(graph, search, fin, 2 * node)
            put_path(path, trace(search.arena, search.where[2 * node], path), out)
            forget(search.arena, search.where)


@kernel
def scan_kraken_fish(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find for each candidate the fish with the shortest chains that rules it out, the shortest first."""
    graph = build(position, False)
    closure = closure_of(parts_of(links_of(graph, HOUSES | CELLS, False)))
    words = closure.reached.shape[1]
    search = new_search()
    kraken = _Kraken(
        closure,
        np.zeros((CANDIDATE_NODES, CANDIDATE_NODES), dtype=np.int16),
        np.empty((LARGEST + 1, words), dtype=np.int64),
        np.empty((9, words), dtype=np.int64),
        np.empty(9, dtype=np.int32),
        np.zeros((CANDIDATE_NODES, _FISH), dtype=np.int32),
    )
    _measure(graph, search, kraken.lengths)
    for number in range(18):
        across = 0  # the lines across that have the digit
        for line in range(9):
            across |= position[PLACES + 27 * (number // 2) + (9 if number % 2 else 0) + line]
        for size in range(2, LARGEST + 1):
            for choice in range(FROM[size - 1], FROM[size]):
                if CHOICES[choice] & ~across == 0:
                    _scan_covers(position, limits, number, int(CHOICES[choice]), size, kraken)
    path = np.empty(2 * NODE_LITERALS, dtype=np.int32)
    lengths = kraken.best[:, _LENGTH]
    for node in stable_order(lengths):
        if lengths[node] == 0:
            continue
        _put(position, limits, int(node), kraken.best[node], graph, search, path, out)
        if commit(out, mode):
            return


ENTRIES: Final = (
    Technique(
        "kraken_fish",
        N_("Kraken Fish"),
        scan=scan_kraken_fish,
        family=Family.FISH,
        tier=5,
        bound=SHORT,  # the lines are finite, and chains are only followed from candidates
        limits={"fins": 4},
        on_request=True,
        rare=True,
    ),
)
