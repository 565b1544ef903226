"""Trial: assume one candidate of a cell, and eliminate it if the assumption can't be completed. The last
resort.

`trial` needs a cell with two candidates and places the other one; `brute_force` takes the cell with the
fewest candidates that keeps one.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from ...kernels._jit import kernel
from ...kernels.bits import count_ones, trailing_zeros
from ...kernels.state import (
    CANDIDATES,
    DIGITS,
    LEFT,
    PLACES,
    STATE_SIZE,
    State,
    broken,
    copy_to,
    place,
)
from ...kernels.steps import FULL, PAST_BOUND, Steps, begin, commit, put_cell, put_placed
from ...kernels.tables import HOUSE_CELLS
from ..entry import N_, PATTERN, Family, Technique, Trait
from ..keys import NUMBER
from ..limits import BOUND, KEY, Limits

TRIAL: Final = NUMBER["trial"]


@kernel
def _fill_singles(now: State) -> bool:
    """Place naked and hidden singles in `now` until none is left; False if it breaks."""
    placed = True
    while placed:
        placed = False
        for cell in range(81):
            mask = now[CANDIDATES + cell]
            if now[DIGITS + cell] == 0 and mask == 0:
                return False
            if mask and not mask & (mask - 1):
                place(now, cell, trailing_zeros(mask))
                placed = True
        for index in range(9 * 27):
            places = now[PLACES + index]
            if places and not places & (places - 1):
                place(now, HOUSE_CELLS[index % 27, trailing_zeros(places)], index // 27)
                placed = True
    return not broken(now)


@kernel
def _fewest(now: State) -> int:
    """Return the empty cell with the fewest candidates, ties going to the lowest."""
    best = -1
    fewest = 10
    for cell in range(81):
        count = count_ones(now[CANDIDATES + cell])
        if now[DIGITS + cell] == 0 and count < fewest:
            best, fewest = cell, count
    return best


@kernel
def completable(position: State, bound: int) -> int:
    """Return whether the position has a solution: 1 yes, 0 no, -1 undecided after `bound` nodes."""
    depth = int(position[LEFT]) + 1
    stack = np.empty((depth, STATE_SIZE), dtype=np.int32)
    cells = np.empty(depth, dtype=np.int32)
    left = np.empty(depth, dtype=np.int32)
    copy_to(position, stack[0])
    if not _fill_singles(stack[0]):
        return 0
    if stack[0, LEFT] == 0:
        return 1
    cells[0] = _fewest(stack[0])
    left[0] = stack[0, CANDIDATES + cells[0]]
    level = 0
    nodes = 0
    while level >= 0:
        if left[level] == 0:
            level -= 1
            continue
        nodes += 1
        if nodes > bound:
            return -1
        digit = trailing_zeros(left[level])
        left[level] &= left[level] - 1
        following = stack[level + 1]
        copy_to(stack[level], following)
        place(following, cells[level], digit)
        if not _fill_singles(following):
            continue
        if following[LEFT] == 0:
            return 1
        level += 1
        cells[level] = _fewest(following)
        left[level] = following[CANDIDATES + cells[level]]
    return 0


@kernel
def scan_trial(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Place the one candidate of a cell that is left when all others are refuted."""
    trial = limits[KEY] == TRIAL
    now = np.empty(STATE_SIZE, dtype=np.int32)
    for count in range(2, 3 if trial else 10):
        for cell in range(81):
            mask = position[CANDIDATES + cell]
            if count_ones(mask) != count:
                continue
            possible = 0
            rest = mask
            while rest:
                digit = trailing_zeros(rest)
                rest &= rest - 1
                copy_to(position, now)
                place(now, cell, digit)
                answer = completable(now, limits[BOUND])
                if answer < 0:
                    out[FULL] = PAST_BOUND
                    return
                if answer:
                    possible |= 1 << digit
            if count_ones(possible) != 1:
                continue
            begin(out, limits[KEY], 0, mask, count)
            put_placed(out, cell, trailing_zeros(possible))
            put_cell(out, PATTERN, mask, cell)
            if commit(out, mode):
                return


# The limit counts digits tried to complete one assumption.
_trial = partial(
    Technique,
    scan=scan_trial,
    family=Family.LAST_RESORT,
    tier=5,
    bound=100_000,
    traits=Trait.REFUTES,
    rare=True,
)

ENTRIES: Final = (
    _trial("trial", N_("Trial")),
    _trial("brute_force", N_("Brute Force")),
)
