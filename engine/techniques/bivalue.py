"""Whether an XY-chain can remove anything, from the bivalue cells alone. Finds no steps by itself.

A cell of two digits that holds one of them leaves every cell it sees with that digit the other, if it has
two. If a cell without a digit leads to another with it, the two together rule it out for cells that see both.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CANDIDATES, CELLS, State
from ..kernels.tables import PEER_WORDS, SEES

MOST: Final = 31  # cells: two bits each of a word without its sign


@kernel
def xy_chain_removes(position: State) -> bool:
    """Whether an XY-chain of any length removes a candidate; also True for more than MOST cells."""
    cells = np.empty(MOST, dtype=np.int32)
    count = 0
    for cell in range(81):
        if count_ones(position[CANDIDATES + cell]) == 2:
            if count == MOST:
                return True
            cells[count] = cell
            count += 1
    digits = np.empty(2 * MOST, dtype=np.int32)  # both digits of each cell
    for index in range(count):
        mask = position[CANDIDATES + cells[index]]
        digits[2 * index] = trailing_zeros(mask)
        digits[2 * index + 1] = trailing_zeros(mask & (mask - 1))
    # The consequences of a cell's digit, as bits: entry 2 * cell + 0 or 1, as in `digits`.
    follow = np.zeros(2 * MOST, dtype=np.int64)
    for one in range(count):
        for other in range(count):
            if not SEES[cells[one], cells[other]]:
                continue
            for turn in range(4):
                if digits[2 * one + turn // 2] == digits[2 * other + turn % 2]:
                    follow[2 * one + turn // 2] |= np.int64(1) << (2 * other + 1 - turn % 2)
    more = True
    while more:
        more = False
        for held in range(2 * count):
            rest = follow[held]
            found = rest
            while rest:
                found |= follow[trailing_zeros(rest)]
                rest &= rest - 1
            more = more or found != follow[held]
            follow[held] = found
    for held in range(2 * count):
        start, digit = cells[held // 2], digits[held ^ 1]
        rest = follow[held]
        while rest:
            last = trailing_zeros(rest)
            rest &= rest - 1
            if digits[last] != digit:
                continue
            for band in range(3):
                seen = PEER_WORDS[start, band] & PEER_WORDS[cells[last // 2], band]
                if seen & position[CELLS + 3 * digit + band] and cells[last // 2] != start:
                    return True
    return False
