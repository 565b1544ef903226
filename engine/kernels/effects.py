"""Collect the effects of a step before writing it, and keep one step for each set of effects."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .state import State
from .steps import (
    ALL,
    COUNT,
    FIRST_HEADER,
    FREE,
    FULL,
    LINKS,
    PATTERN,
    PLACED,
    REMOVED,
    SIZE,
    WIDTH,
    Steps,
    commit,
    put_removed_cells,
)

Hits = NDArray[np.int32]  # [27] candidates to remove: word 3 * d + band holds 27 bits of digit d
Seen = NDArray[np.int32]  # hash table of the steps kept: 1 + number of the step, 0 for a free slot

_SLOTS: Final = 1 << 15
_MASK: Final = (1 << 31) - 1
_MOST_KEPT: Final = _SLOTS // 2


@kernel
def new_seen(mode: int) -> Seen:
    """Return an empty table for a scan in `mode`; mode FIRST needs none."""
    return np.zeros(_SLOTS if mode == ALL else 1, dtype=np.int32)


@kernel
def put_hits(out: Steps, position: State, hits: Hits) -> None:
    """Remove every candidate of `hits`, in the order of digits and cells."""
    for digit in range(9):
        for band in range(3):
            put_removed_cells(out, position, digit, band, hits[3 * digit + band])


@kernel
def _slot(out: Steps, seen: Seen) -> int:
    """Return the slot of the begun step's effects in `seen`, or where to insert them."""
    header = FIRST_HEADER + out[COUNT] * WIDTH
    first = out[header + PLACED]
    last = out[header + REMOVED + 1]
    code = 0
    for at in range(first, last):
        code = (code * 1_000_003 + int(out[at]) + 1) & _MASK
    slot = (code ^ code >> 15) % len(seen)
    while seen[slot] and not _same_effects(out, FIRST_HEADER + (seen[slot] - 1) * WIDTH, first, last):
        slot = (slot + 1) % len(seen)
    return slot


@kernel
def drop_longer(out: Steps, mode: int, seen: Seen) -> bool:
    """Discard the begun step if a smaller step in `seen` has its effects; returns whether it was."""
    if mode != ALL or out[FULL]:
        return False
    header = FIRST_HEADER + out[COUNT] * WIDTH
    known = seen[_slot(out, seen)]
    if known == 0 or out[FIRST_HEADER + (known - 1) * WIDTH + SIZE] >= out[header + SIZE]:
        return False
    out[FREE] = out[header + PLACED]
    return True


@kernel
def commit_shortest(out: Steps, mode: int, seen: Seen) -> bool:
    """Keep the begun step unless a step of `seen` has its effects with a proof no longer; True to stop.

    A longer step with the same effects is replaced. Effects must be written in a fixed order, as put_hits
    does.
    """
    header = FIRST_HEADER + out[COUNT] * WIDTH
    if (
        mode != ALL
        or out[FULL]
        or out[header + REMOVED + 1] == out[header + PLACED]
        or out[COUNT] >= _MOST_KEPT
    ):
        return commit(out, mode)
    slot = _slot(out, seen)
    if seen[slot] == 0:
        seen[slot] = out[COUNT] + 1
        return commit(out, mode)
    known = FIRST_HEADER + (seen[slot] - 1) * WIDTH
    shorter = out[header + SIZE] < out[known + SIZE] or (
        out[header + SIZE] == out[known + SIZE]
        and out[header + LINKS + 1] - out[header + PATTERN] < out[known + LINKS + 1] - out[known + PATTERN]
    )
    if shorter:
        for field in range(WIDTH):
            out[known + field] = out[header + field]
    else:
        out[FREE] = out[header + PLACED]
    return False


@kernel
def _same_effects(out: Steps, known: int, first: int, last: int) -> bool:
    """Whether the step with header `known` has the effects at first..last."""
    start = out[known + PLACED]
    length = last - first
    if out[known + REMOVED + 1] - start != length:
        return False
    at = 0
    while at < length and out[start + at] == out[first + at]:
        at += 1
    return bool(at == length)
