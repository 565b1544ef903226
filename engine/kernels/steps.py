"""The flat int32 buffer that scans write steps to. engine.steps.step turns its headers into Step objects.

A buffer starts with five words: the number of steps (COUNT), the next free word (FREE), whether the scan is
incomplete (FULL: 1 if something didn't fit, PAST_BOUND if the scan exceeded its limit, where a larger buffer
doesn't help), the capacity for headers (`ROOM`), and SPENT. Then come the headers, each of WIDTH words:

    KEY        number of the technique (engine.techniques.keys)
    VARIANT    the technique's own number, 0 if it has none
    DIGITS     nine bits, the digits the step is about
    SIZE       input of length-dependent ratings: cells of a loop, nodes of a chain
    and five ranges from..to of words in the buffer, in this order
    PLACED     candidates placed, each 9 * cell + digit
    REMOVED    candidates removed, likewise
    PATTERN    cells of the proof: role << 16 | digits << 7 | cell
    HOUSES     houses of the proof: role << 16 | digits << 7 | house; role 0 claims "each of these digits has
               a place in this house", other roles are only for display
    LINKS      LINK_WIDTH words each: from, to, cause (see engine.techniques.implications)
    LEMMA      1 for a step that only supports the links of a later one

A scan writes a step as begin, then placed, removed, pattern, houses, links in that order, then commit. Commit
drops a step without an effect, and one that doesn't fit, setting FULL.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .bits import trailing_zeros
from .state import CANDIDATES, CELLS, State

Steps = NDArray[np.int32]

COUNT: Final = 0
FREE: Final = 1
FULL: Final = 2
ROOM: Final = 3
SPENT: Final = 4  # cost of bounded searches so far; the owner of the buffer resets it
FIRST_HEADER: Final = 5

PAST_BOUND: Final = 2  # value of FULL

WIDTH: Final = 16
KEY: Final = 0
VARIANT: Final = 1
DIGIT_MASK: Final = 2
SIZE: Final = 3
PLACED: Final = 4
REMOVED: Final = 6
PATTERN: Final = 8
HOUSES: Final = 10
LINKS: Final = 12
LEMMA: Final = 14
LINK_WIDTH: Final = 3

BY_LEMMA: Final = 32  # the cause BY_LEMMA + n of a link is step n of the buffer
BY_ALS: Final = 1 << 20  # the cause BY_ALS + n of a link is almost locked set n of the step

# Modes of a scan.
FIRST: Final = 0  # stop at the first step
ALL: Final = 1  # find every instance


def new_steps(room: int, words: int) -> Steps:
    """Return an empty buffer for `room` steps with `words` words of facts between them."""
    out = np.zeros(FIRST_HEADER + (room + 1) * WIDTH + words, dtype=np.int32)
    out[ROOM] = room
    clear(out)
    return out


@kernel
def clear(out: Steps) -> None:
    """Empty the buffer `out`."""
    out[COUNT] = 0
    out[FULL] = 0
    out[FREE] = FIRST_HEADER + (out[ROOM] + 1) * WIDTH


@kernel
def begin(out: Steps, key: int, variant: int, digits: int, size: int) -> None:
    """Start a step in `out`. `digits` is a mask of nine bits."""
    header = FIRST_HEADER + out[COUNT] * WIDTH
    out[header + KEY] = key
    out[header + VARIANT] = variant
    out[header + DIGIT_MASK] = digits
    out[header + SIZE] = size
    for field in range(PLACED, LEMMA):
        out[header + field] = out[FREE]
    out[header + LEMMA] = 0


@kernel
def _put(out: Steps, field: int, word: int) -> None:
    """Append one fact to the range `field` of the begun step; later ranges move behind it."""
    if out[FREE] >= len(out) or out[COUNT] >= out[ROOM]:
        out[FULL] = 1
        return
    out[out[FREE]] = word
    out[FREE] += 1
    header = FIRST_HEADER + out[COUNT] * WIDTH
    for later in range(field + 1, LEMMA):
        out[header + later] = out[FREE]


@kernel
def put_placed(out: Steps, cell: int, digit: int) -> None:
    """Place `digit` (0..8) in `cell`."""
    _put(out, PLACED, 9 * cell + digit)


@kernel
def put_removed(out: Steps, position: State, cell: int, digit: int) -> None:
    """Remove `digit` (0..8) from `cell`; does nothing if it is no candidate there."""
    if position[CANDIDATES + cell] >> digit & 1:
        _put(out, REMOVED, 9 * cell + digit)


@kernel
def put_removed_mask(out: Steps, position: State, cell: int, digits: int) -> None:
    """Remove every digit of the mask that is a candidate in `cell`."""
    for digit in range(9):
        if digits >> digit & 1:
            put_removed(out, position, cell, digit)


@kernel
def put_removed_cells(out: Steps, position: State, digit: int, band: int, cells: int) -> None:
    """Remove `digit` (0..8) from those of the 27 cells of a band where it is a candidate."""
    rest = cells & position[CELLS + 3 * digit + band]
    while rest:
        _put(out, REMOVED, 9 * (27 * band + trailing_zeros(rest)) + digit)
        rest &= rest - 1


@kernel
def put_cell(out: Steps, role: int, digits: int, cell: int) -> None:
    """Add `cell` to the proof with the digits of the mask."""
    _put(out, PATTERN, role << 16 | digits << 7 | cell)


@kernel
def put_cells(out: Steps, role: int, digits: int, band: int, cells: int) -> None:
    """Add each of the cells of a band to the proof with the digits of the mask."""
    while cells:
        put_cell(out, role, digits, 27 * band + trailing_zeros(cells))
        cells &= cells - 1


@kernel
def put_house(out: Steps, role: int, digits: int, house: int) -> None:
    """Add `house` to the proof with the digits of the mask; see the module's docstring for the role."""
    _put(out, HOUSES, role << 16 | digits << 7 | house)


@kernel
def put_link(out: Steps, source: int, target: int, cause: int) -> None:
    """Add the link from `source` to `target` with its `cause`."""
    _put(out, LINKS, source)
    _put(out, LINKS, target)
    _put(out, LINKS, cause)


@kernel
def commit(out: Steps, mode: int) -> bool:
    """Keep the begun step if it has an effect and fits; True if the scan must stop."""
    header = FIRST_HEADER + out[COUNT] * WIDTH
    if out[FULL]:
        return True
    if (
        out[header + PLACED + 1] == out[header + PLACED]
        and out[header + REMOVED + 1] == out[header + REMOVED]
    ):
        out[FREE] = out[header + PLACED]
        return False
    out[COUNT] += 1
    return mode == FIRST


@kernel
def discard(out: Steps) -> bool:
    """Discard the begun step; returns whether it had an effect."""
    header = FIRST_HEADER + out[COUNT] * WIDTH
    out[FREE] = out[header + PLACED]
    return bool(out[header + REMOVED + 1] > out[header + PLACED])


@kernel
def copy_lemma(steps: Steps, index: int, out: Steps) -> int:
    """Copy step `index` of the buffer `steps` to `out` as a lemma; returns its number there."""
    source = FIRST_HEADER + index * WIDTH
    first = steps[source + PLACED]
    last = steps[source + LEMMA - 1]
    if out[FREE] + last - first > len(out) or out[COUNT] >= out[ROOM]:
        out[FULL] = 1
        return 0
    target = FIRST_HEADER + out[COUNT] * WIDTH
    shift = out[FREE] - first
    for field in range(WIDTH):
        moved = PLACED <= field < LEMMA
        out[target + field] = steps[source + field] + (shift if moved else 0)
    out[target + LEMMA] = 1
    for at in range(first, last):
        out[at + shift] = steps[at]
    out[FREE] += last - first
    out[COUNT] += 1
    return int(out[COUNT]) - 1
