"""Remote pairs: a chain of bivalue cells with the same two digits, which alternate along it.

The search is separate: every chain of a length is wanted, while the search of the implication graph reaches
each literal once, by its shortest path. Unmeasured: whether the graph's weak links could serve as the
neighbor list at no cost. To find out, time both on the same positions; here one lookup in SEES replaces the
graph.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.bits import count_ones, trailing_zeros
from ...kernels.state import CANDIDATES, CELLS, State
from ...kernels.steps import FULL, PAST_BOUND, Steps, begin, commit, put_cell, put_removed
from ...kernels.tables import PEER_WORDS, SEES
from ..entry import COLOUR_A, N_, Family, Technique
from ..limits import BOUND, KEY, Limits

Row = NDArray[np.int32]

SHORTEST: Final = 4  # cells of a chain


@kernel
def _put_chain(position: State, key: int, pair: int, length: int, cells: Row, out: Steps) -> None:
    """Write the chain of the first `length` cells; the caller commits."""
    one, two = trailing_zeros(pair), trailing_zeros(pair & (pair - 1))
    begin(out, key, 0, pair, length)
    for band in range(3):
        victims = 0
        for index in range(length):
            for other in range(index + 3, length, 2):
                victims |= PEER_WORDS[cells[index], band] & PEER_WORDS[cells[other], band]
        victims &= position[CELLS + 3 * one + band] | position[CELLS + 3 * two + band]
        for index in range(length):
            if cells[index] // 27 == band:
                victims &= ~(1 << (cells[index] % 27))
        while victims:
            put_removed(out, position, 27 * band + trailing_zeros(victims), one)
            put_removed(out, position, 27 * band + trailing_zeros(victims), two)
            victims &= victims - 1
    for index in range(length):
        put_cell(out, COLOUR_A + index % 2, pair, cells[index])


@kernel
def _scan_length(
    position: State, limits: Limits, pair: int, length: int, count: int, same: Row, mode: int, out: Steps
) -> bool:
    """Find all chains of `length` among the `count` cells `same`; returns commit's result."""
    chain = np.empty(81, dtype=np.int32)  # numbers in `same`
    cells = np.empty(81, dtype=np.int32)
    nodes = 0
    depth = 0
    chain[0] = -1
    while depth >= 0:
        chain[depth] += 1
        number = int(chain[depth])
        if number >= count:
            depth -= 1
            continue
        cells[depth] = same[number]
        fits = depth == 0 or SEES[cells[depth - 1], cells[depth]] != 0
        for index in range(depth):
            fits = fits and chain[index] != number
        if not fits:
            continue
        nodes += 1
        if nodes > limits[BOUND]:
            out[FULL] = PAST_BOUND
            return True
        if depth < length - 1:
            depth += 1
            chain[depth] = -1
        elif chain[0] < number:
            _put_chain(position, limits[KEY], pair, length, cells, out)
            if commit(out, mode):
                return True
    return False


@kernel
def scan_remote_pair(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find cells an odd number of steps apart, at least three, which differ: what sees both loses both
    digits.

    A step has all eliminations of one chain's cells. Short chains come first; raises FULL past limits[BOUND]
    cells tried.
    """
    same = np.empty(81, dtype=np.int32)
    for start in range(81):
        pair = int(position[CANDIDATES + start])
        if count_ones(pair) != 2:
            continue
        count = 0
        for cell in range(81):
            if position[CANDIDATES + cell] == pair:
                same[count] = cell
                count += 1
        if count < SHORTEST or same[0] != start:
            continue
        for length in range(SHORTEST, count + 1, 2):
            if _scan_length(position, limits, pair, length, count, same, mode, out):
                return


ENTRIES: Final = (
    Technique(
        "remote_pair",
        N_("Remote Pair"),
        scan=scan_remote_pair,
        family=Family.COLORING,  # two digits colored at once
        tier=4,
        bound=100_000,  # cells tried for the chains of one length
        rare=True,
    ),
)
