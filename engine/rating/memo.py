"""Memoize which scans found nothing in which positions of a puzzle, for the paths of all schemes.

The paths begin alike and often meet again. Those through the canonical form reach positions equivalent to the
puzzle's own, where most scans have the same result.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import trailing_zeros
from ..kernels.state import CANDIDATES, State
from ..techniques.limits import Limits

# A hash table: the code of each question with an empty result, 0 in a free slot.
Memo = NDArray[np.int64]

SLOTS: Final = 1 << 13
_MASK: Final = (1 << 62) - 1
_TRIES: Final = 8
# Numbers of 62 bits, one for each candidate: two positions of a puzzle share a sum once in 10**18.
_TERMS: Final[NDArray[np.int64]] = np.random.default_rng(81).integers(0, 1 << 62, 729, dtype=np.int64)

# int32[729]: for each candidate of a walk's position, that of the memo's puzzle.
Origin = NDArray[np.int32]
ITSELF: Final[Origin] = np.arange(729, dtype=np.int32)


def new_memo() -> Memo:
    """Return an empty memo. It must be used for one puzzle only."""
    return np.zeros(SLOTS, dtype=np.int64)


@kernel
def code_of(position: State, origin: Origin) -> int:
    """Return a hash of the candidates of a position, which equivalent positions share."""
    code = 0
    for cell in range(81):
        mask = position[CANDIDATES + cell]
        while mask:
            code = (code + int(_TERMS[origin[9 * cell + trailing_zeros(mask)]])) & _MASK
            mask &= mask - 1
    return code


@kernel
def code_after(code: int, before: NDArray[np.int32], position: State, origin: Origin) -> int:
    """Return the code of a position that follows one with that code.

    before: int32[81], the candidates of the earlier one.
    """
    for cell in range(81):
        gone = before[cell] & ~position[CANDIDATES + cell]
        while gone:
            code = (code - int(_TERMS[origin[9 * cell + trailing_zeros(gone)]])) & _MASK
            gone &= gone - 1
    return code


def question(key: str, limits: Limits) -> int:
    """Return a 56-bit hash of a technique and its limits, the same in all orders and processes."""
    return int.from_bytes(blake2b(key.encode() + limits.tobytes(), digest_size=7).digest(), "big")


@kernel
def is_known(memo: Memo, code: int, asked: int) -> bool:
    """Return whether the memo contains the question for the position with that code."""
    wanted = _mix(code, asked)
    for turn in range(_TRIES):
        there = memo[(wanted + turn) % SLOTS]
        if there == wanted or there == 0:
            return bool(there)
    return False


@kernel
def note(memo: Memo, code: int, asked: int) -> None:
    """Add a question that found nothing; does nothing if the memo is full."""
    wanted = _mix(code, asked)
    for turn in range(_TRIES):
        slot = (wanted + turn) % SLOTS
        if memo[slot] == 0:
            memo[slot] = wanted
            return


@kernel
def _mix(code: int, asked: int) -> int:
    """Combine both hashes into one, never 0."""
    mixed = (code + int(asked) * 0x1E3779B97F4A7C15) & _MASK
    return mixed ^ mixed >> 31 | 1
