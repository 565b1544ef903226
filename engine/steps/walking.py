"""Compiled code shared by paths: search a technique only where something changed, and take its step.

A step of one digit or one house (`Scope`, in the technique's entry) arises only when candidates there change.
So a path keeps for each technique which digits or houses are barren: nothing was found there, and nothing has
changed since. A settled digit (kernels/patterns.py) is barren for all one-digit techniques.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import trailing_zeros
from ..kernels.dispatch import call_scan
from ..kernels.patterns import Ways, is_settled
from ..kernels.state import CANDIDATES, State, place, remove
from ..kernels.steps import (
    BY_ALS,
    BY_LEMMA,
    COUNT,
    FIRST_HEADER,
    FULL,
    LEMMA,
    LINK_WIDTH,
    LINKS,
    PLACED,
    REMOVED,
    WIDTH,
    Steps,
    copy_lemma,
)
from ..kernels.tables import CELL_HOUSES
from ..techniques.entry import Scope
from ..techniques.limits import BARREN, Limits

# int32[n], for each technique of a path the barren parts of its scope as bits. A path that calls `settle` has
# one more word: the digits known to be settled.
Barren = NDArray[np.int32]

# All parts of each scope; the position as a whole has no parts.
PARTS: Final[NDArray[np.int32]] = np.array([0, (1 << 9) - 1, (1 << 27) - 1], dtype=np.int32)

DIGIT: Final = int(Scope.DIGIT)


@kernel
def forget(position: State, before: NDArray[np.int32], scopes: NDArray[np.int32], barren: Barren) -> None:
    """Remove from `barren` what has changed since `before`, int32[81] of candidates, and update that.

    scopes: int32[n], of the techniques; if `barren` has one more, its scope is DIGIT.
    """
    digits = 0
    houses = 0
    for cell in range(81):
        changed = before[cell] ^ position[CANDIDATES + cell]
        if changed:
            before[cell] ^= changed
            digits |= changed
            houses |= 1 << CELL_HOUSES[cell, 0] | 1 << CELL_HOUSES[cell, 1] | 1 << CELL_HOUSES[cell, 2]
    for entry in range(len(barren)):
        barren[entry] &= ~(digits if scopes[entry] == DIGIT else houses)


@kernel
def settle(position: State, scopes: NDArray[np.int32], barren: Barren, ways: Ways) -> None:
    """Add settled digits to `barren`. scopes: as in `forget`. ways: scratch."""
    rest = PARTS[DIGIT] & ~barren[-1]
    barren[-1] = PARTS[DIGIT]
    settled = 0
    while rest:
        digit = trailing_zeros(rest)
        rest &= rest - 1
        if is_settled(position, digit, ways):
            settled |= 1 << digit
    for entry in range(len(barren) - 1):
        if scopes[entry] == DIGIT:
            barren[entry] |= settled


@kernel
def ask(
    address: int,
    scope: int,
    position: State,
    limits: Limits,
    mode: int,
    barren: Barren,
    entry: int,
    out: Steps,
) -> bool:
    """Run the scan at an address except where barren; returns whether it found nothing within its limit.

    limits: BARREN is changed. barren: the word of `entry` is read and written.
    """
    if scope and barren[entry] == PARTS[scope]:
        return True
    found = out[COUNT]
    limits[BARREN] = barren[entry]
    call_scan(address, position, limits, mode, out)
    if out[COUNT] > found or out[FULL]:
        return False
    barren[entry] = PARTS[scope]
    return True


@kernel
def apply(out: Steps, index: int, position: State) -> None:
    """Apply the eliminations and placements of step `index` of `out` to `position`."""
    header = FIRST_HEADER + index * WIDTH
    for at in range(out[header + REMOVED], out[header + REMOVED + 1]):
        remove(position, out[at] // 9, out[at] % 9)
    for at in range(out[header + PLACED], out[header + PLACED + 1]):
        place(position, out[at] // 9, out[at] % 9)


@kernel
def keep(out: Steps, index: int, path: Steps) -> bool:
    """Append step `index` of `out`, after its lemmas, to the buffer `path`; False if that is full.

    In a full path, the data after the last whole step is invalid.
    """
    first = path[COUNT]
    for each in range(index + 1):
        copied = copy_lemma(out, each, path)
        if path[FULL]:
            path[COUNT] = first
            return False
        header = FIRST_HEADER + copied * WIDTH
        for at in range(path[header + LINKS], path[header + LINKS + 1], LINK_WIDTH):
            if BY_LEMMA <= path[at + 2] < BY_ALS:
                path[at + 2] += first
    path[FIRST_HEADER + (first + index) * WIDTH + LEMMA] = 0
    return True
