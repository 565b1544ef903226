"""Death blossom: each digit of a stem cell forces the same digit into some almost locked set."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.almost_locked import (
    ALS_ROOM,
    ALS_SIZE,
    ALS_WIDTH,
    SEERS,
    collect_almost_locked,
    overlap,
    put_set,
)
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.effects import commit_shortest, new_seen, put_hits
from ..kernels.state import CANDIDATES, State
from ..kernels.steps import ALL, FULL, PAST_BOUND, Steps, begin, put_cell
from .entry import ALS, N_, PIVOT, Family, Technique
from .limits import BOUND, KEY, OVERLAP, Limits

# The petal selections seen, by stem, number of petals and eliminations: a key of 62 bits (two of 100,000
# selections share one in one of 900 million scans), and the fewest cells of such a selection.
_SLOTS: Final = 1 << 17
_MASK: Final = (1 << 62) - 1

Keys = NDArray[np.int64]
Cells = NDArray[np.int32]


@kernel
def _met(keys: Keys, fewest: Cells, stem: int, depth: int, alive: Cells, cells: int) -> bool:
    """Whether such a selection with no more cells was seen; adds this one to `keys` and `fewest`.

    A full table stores no more; then a selection may be processed again, which only costs time.
    """
    code = 10 * stem + depth + 1
    for word in range(27):
        code = (code ^ code >> 29 ^ int(alive[word])) * 0x2545F4914F6C
        code &= _MASK
    code |= 1
    slot = code >> 20 & (_SLOTS - 1)
    for _ in range(32):
        if keys[slot] == code:
            if fewest[slot] <= cells:
                return True
            fewest[slot] = cells
            return False
        if keys[slot] == 0:
            keys[slot] = code
            fewest[slot] = cells
            return False
        slot = (slot + 1) & (_SLOTS - 1)
    return False


@kernel
def scan_death_blossom(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find for each digit of the stem a petal whose places of that digit the stem all sees.

    A digit z that isn't in the stem is eliminated where it sees every z of all petals.
    """
    table = np.empty((ALS_ROOM, ALS_WIDTH), dtype=np.int32)
    count = collect_almost_locked(position, table)
    if count < 0:
        out[FULL] = PAST_BOUND
        return
    seen = new_seen(mode)
    petals = np.empty((9, max(count, 1)), dtype=np.int32)  # the sets that fit the n-th digit of the stem
    fitting = np.empty(9, dtype=np.int32)
    at = np.empty(10, dtype=np.int32)
    cells = np.zeros(10, dtype=np.int32)
    alive = np.empty((10, 27), dtype=np.int32)  # what the petals chosen so far would remove
    # If petals may overlap, the consequences only depend on what is alive.
    remember = mode == ALL and limits[OVERLAP] != 0
    keys = np.zeros(_SLOTS if remember else 1, dtype=np.int64)
    fewest = np.zeros(len(keys), dtype=np.int32)
    nodes = 0
    for stem in range(81):
        digits = int(position[CANDIDATES + stem])
        size = count_ones(digits)
        if size < 2:
            continue
        rest = digits
        complete = True
        for number in range(size):
            word = SEERS + 3 * trailing_zeros(rest) + stem // 27
            rest &= rest - 1
            fitting[number] = 0
            for row in range(count):
                if table[row, word] >> stem % 27 & 1:
                    petals[number, fitting[number]] = row
                    fitting[number] += 1
            complete = complete and fitting[number] > 0
        if not complete:
            continue
        for digit in range(9):
            for band in range(3):
                alive[0, 3 * digit + band] = 0 if digits >> digit & 1 else (1 << 27) - 1
        depth = 0
        at[0] = -1
        while depth >= 0:
            at[depth] += 1
            if at[depth] == fitting[depth]:
                depth -= 1
                continue
            nodes += 1
            if nodes > limits[BOUND]:
                out[FULL] = PAST_BOUND
                return
            row = petals[depth, at[depth]]
            some = 0
            for word in range(27):
                alive[depth + 1, word] = alive[depth, word] & table[row, SEERS + word]
                some |= alive[depth + 1, word]
            if some == 0:
                continue
            apart = True
            if not limits[OVERLAP]:
                for number in range(depth):
                    apart = apart and not overlap(table, row, petals[number, at[number]])
            cells[depth + 1] = cells[depth] + table[row, ALS_SIZE]
            if not apart or (
                remember and _met(keys, fewest, stem, depth, alive[depth + 1], cells[depth + 1])
            ):
                continue
            if depth + 1 < size:
                depth += 1
                at[depth] = -1
                continue
            begin(out, limits[KEY], 0, digits, size + 1)
            put_hits(out, position, alive[size])
            put_cell(out, PIVOT, digits, stem)
            for number in range(size):
                put_set(out, position, table, petals[number, at[number]], ALS + number)
            if commit_shortest(out, mode, seen):
                return


ENTRIES: Final = (
    Technique(
        "death_blossom",
        N_("Death Blossom"),
        scan=scan_death_blossom,
        family=Family.ALMOST_LOCKED_SETS,
        tier=5,
        bound=10_000_000,  # petals tried
        limits={"overlap": 1},
    ),
)
