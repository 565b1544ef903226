"""Which dynamic nets arise under an assumption: what each candidate implies by singles alone.

A dynamic net without lemmas derives the same as placing singles. So a contradiction or an agreement of nets
shows in the candidates that singles leave, without records of reasons; only nets that have one need records.
Each candidate, on and off, is probed once in the position without the assumption. Under the assumption a
probe starts from what is left in both, and most have nothing to add: a tenth of the time of a search.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.bits import trailing_zeros
from ...kernels.state import CANDIDATES, CELLS, PLACES, State
from ...kernels.tables import CELL_HOUSES, CELL_PEERS, HOUSE_CELLS, PEER_WORDS, PLACE_IN
from ..implications import LITERALS, Row

Left = NDArray[np.int32]

SIZE: Final = PLACES + 9 * 27 - CANDIDATES  # of a row: a position from CANDIDATES on, in its order
MOST_QUEUED: Final = 4 * 729  # a candidate is queued at most once by its cell and once by each house
_HOUSES: Final = PLACES - CANDIDATES


class Probes(NamedTuple):
    """The candidates that each literal leaves, in the position and under an assumption.

    A literal is 2 * number of its candidate + on.
    """

    number: Row  # [729]: number of each candidate of the position, -1 if it has none
    before: Left  # [2 * count, SIZE]: candidates and places left in the position
    left: Left  # the same under the assumption; starts with -1 if the literal contradicts itself
    queue: Row  # singles to be placed: scratch
    union: Row  # [81]: scratch


@kernel
def no_probes() -> Probes:
    """Return empty probes, for searches without them."""
    none = np.empty((0, SIZE), dtype=np.int32)
    nothing = np.empty(0, dtype=np.int32)
    return Probes(nothing, none, none, nothing, nothing)


@kernel
def new_probes(position: State) -> Probes:
    """Probe every literal of a position."""
    number = np.full(729, -1, dtype=np.int32)
    count = 0
    for candidate in range(729):
        if position[CANDIDATES + candidate // 9] >> candidate % 9 & 1:
            number[candidate] = count
            count += 1
    before = np.empty((2 * count, SIZE), dtype=np.int32)
    probes = Probes(
        number,
        before,
        np.empty((2 * count, SIZE), dtype=np.int32),
        np.empty(MOST_QUEUED, dtype=np.int32),
        np.empty(81, dtype=np.int32),
    )
    for candidate in range(729):
        if number[candidate] >= 0:
            for on in range(2):
                row = before[2 * number[candidate] + on]
                for at in range(SIZE):
                    row[at] = position[CANDIDATES + at]
                _assume(row, candidate, on, probes.queue)
    return probes


@kernel
def probe(now: State, probes: Probes) -> None:
    """Probe every literal that is open in `now`, the position under an assumption."""
    for literal in range(LITERALS):
        cell, digit = literal // 18, (literal >> 1) % 9
        mask = now[CANDIDATES + cell]
        if mask >> digit & 1 and mask & (mask - 1):
            number = 2 * probes.number[literal >> 1] + (literal & 1)
            _narrow(now, probes.before[number], probes.left[number], probes.queue)


@kernel
def refuted(probes: Probes, literal: int) -> bool:
    """Whether a literal, open under the assumption, contradicts itself there."""
    return bool(probes.left[2 * probes.number[literal >> 1] + (literal & 1), 0] < 0)


@kernel
def refuted_alone(position: State, literal: int, places: Row, queue: Row) -> bool:
    """Whether a literal leaves its digit without a place in a house, by the places of that digit alone.

    places: int32[30] or more, queue: int32[28] or more, scratch.
    """
    cell, digit = literal // 18, (literal >> 1) % 9
    for house in range(27):
        places[house] = position[PLACES + 27 * digit + house]
    for band in range(3):
        places[27 + band] = position[CELLS + 3 * digit + band]
    queue[0] = cell
    count = 1 if literal & 1 else _lose(places, cell, queue, 0)
    done = 0
    while done < count:
        cell = queue[done]
        done += 1
        if not places[27 + cell // 27] >> cell % 27 & 1:
            return True
        for band in range(3):
            peers = places[27 + band] & PEER_WORDS[cell, band]
            while peers:
                count = _lose(places, 27 * band + trailing_zeros(peers), queue, count)
                if count < 0:
                    return True
                peers &= peers - 1
    return count < 0


@kernel
def _lose(places: Row, cell: int, queue: Row, count: int) -> int:
    """Remove a place and queue the last ones in its houses; returns how many are queued, -1 if none is left.

    places: int32[30], of the digit in each house, and as words of cells.
    """
    places[27 + cell // 27] &= ~(1 << cell % 27)
    for kind in range(3):
        house = CELL_HOUSES[cell, kind]
        places[house] &= ~(1 << PLACE_IN[cell, kind])
        left = places[house]
        if left == 0:
            return -1
        if left & (left - 1) == 0:
            queue[count] = HOUSE_CELLS[house, trailing_zeros(left)]
            count += 1
    return count


@kernel
def probes_agree(now: State, probes: Probes, starts: Row, count: int) -> bool:
    """Whether the first `count` literals of `starts`, open under the assumption, remove a common candidate.

    If all of them place one, they remove the others of its cell. One that contradicts itself agrees with all.
    """
    union = probes.union
    for cell in range(81):
        union[cell] = 0
    for index in range(count):
        row = probes.left[2 * probes.number[starts[index] >> 1] + (starts[index] & 1)]
        if row[0] < 0:
            continue
        for cell in range(81):
            union[cell] |= row[cell]
    lost = 0
    for cell in range(81):
        lost |= union[cell] ^ now[CANDIDATES + cell]
    return lost != 0


@kernel
def _assume(row: Left, candidate: int, on: int, queue: Row) -> None:
    """Place or strike a candidate, and all singles that follow; the row starts with -1 if it breaks."""
    if on:
        queue[0] = candidate
        _place_all(row, queue, 1)
        return
    count = _strike(row, candidate // 9, candidate % 9, queue, 0)
    if count < 0:
        row[0] = -1
    else:
        _place_all(row, queue, count)


@kernel
def _narrow(now: State, before: Left, row: Left, queue: Row) -> None:
    """Fill `row` with what is left both in `now` and before, and place all singles; -1 first if it breaks."""
    if before[0] < 0:
        row[0] = -1
        return
    singles = 0  # branchless, so that it becomes vector code
    for at in range(SIZE):
        there = now[CANDIDATES + at]
        both = before[at] & there
        row[at] = both
        singles += (both & (both - 1) == 0) & (both != before[at]) & (both != there)
    if singles == 0:
        return
    count = 0
    for at in range(SIZE):
        both = row[at]
        if both & (both - 1) or both == before[at] or both == now[CANDIDATES + at]:
            continue
        if both == 0:
            row[0] = -1
            return
        if at < _HOUSES:
            queue[count] = 9 * at + trailing_zeros(both)
        else:
            digit, house = (at - _HOUSES) // 27, (at - _HOUSES) % 27
            queue[count] = 9 * HOUSE_CELLS[house, trailing_zeros(both)] + digit
        count += 1
    _place_all(row, queue, count)


@kernel
def _place_all(row: Left, queue: Row, count: int) -> None:
    """Place the candidates in `queue` and all singles that follow; -1 first in the row if it breaks."""
    done = 0
    while done < count:
        cell, digit = queue[done] // 9, queue[done] % 9
        done += 1
        if not row[cell] >> digit & 1:
            row[0] = -1
            return
        rest = row[cell] & ~(1 << digit)
        while rest:
            count = _strike(row, cell, trailing_zeros(rest), queue, count)
            if count < 0:
                row[0] = -1
                return
            rest &= rest - 1
        for index in range(20):
            peer = CELL_PEERS[cell, index]
            if row[peer] >> digit & 1:
                count = _strike(row, peer, digit, queue, count)
                if count < 0:
                    row[0] = -1
                    return


@kernel
def _strike(row: Left, cell: int, digit: int, queue: Row, count: int) -> int:
    """Remove a candidate and queue the singles that it leaves; returns how many are queued, -1 if it
    breaks.
    """
    row[cell] &= ~(1 << digit)
    left = row[cell]
    if left == 0:
        return -1
    if left & (left - 1) == 0:
        queue[count] = 9 * cell + trailing_zeros(left)
        count += 1
    for kind in range(3):
        house = CELL_HOUSES[cell, kind]
        at = _HOUSES + 27 * digit + house
        row[at] &= ~(1 << PLACE_IN[cell, kind])
        left = row[at]
        if left == 0:
            return -1
        if left & (left - 1) == 0:
            queue[count] = 9 * HOUSE_CELLS[house, trailing_zeros(left)] + digit
            count += 1
    return count
