"""Givens added on arrays until one solution is left, or changed in prescribed cells. Digs nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bitboard import UNBOUNDED, Digits, Words, ban, search, start
from engine.kernels.houses import Mask
from engine.kernels.rng import below, shuffle
from engine.kernels.solved_grids import allowed_digits

State = NDArray[np.uint64]
Places = NDArray[np.int64]


@kernel
def solutions_up_to(limit: int, stack: Words, puzzle: Digits) -> int:
    """How many solutions uint8[81] `puzzle` has, counted up to `limit`; overwrites the solver's `stack`."""
    start(puzzle, stack[0])
    return search(limit, UNBOUNDED, stack, np.empty((0, 81), np.uint8))[0]


@kernel
def fill_at_random(state: State, cell: int, stack: Words, out: Digits) -> bool:
    """Give the empty `cell` of uint8[81] `out` a digit of some solution, each such digit equally likely.

    `out` must have a solution. Returns whether there was a choice; mutates the random `state`.
    """
    digits = np.arange(1, 10)
    shuffle(state, digits)
    allowed = allowed_digits(out, cell)
    for digit in digits:
        if allowed >> digit & 1:
            out[cell] = digit
            if solutions_up_to(1, stack, out):
                break
    found: Mask = np.int64(out[cell])
    out[cell] = 0
    start(out, stack[0])
    ban(cell, found, stack[0])
    choice = search(1, UNBOUNDED, stack, np.empty((0, 81), np.uint8))[0] > 0
    out[cell] = found
    return choice


@kernel
def grow(state: State, groups: Places, stack: Words, out: Digits) -> bool:
    """Add givens to uint8[81] `out` until one solution is left; False where the groups do not suffice.

    groups: int64[n, k], the cells filled together, in order, -1 filling up short rows. A group that settles
    nothing stays empty, and so does one of which a cell is filled already. `out` must have a solution.
    Mutates the random `state`, overwrites the solver's `stack`.
    """
    for row in range(len(groups)):
        settled, free = False, True
        for cell in groups[row]:
            free = free and (cell < 0 or out[cell] == 0)
        if not free:
            continue
        for cell in groups[row]:
            if cell >= 0:
                settled = fill_at_random(state, cell, stack, out) or settled
        if not settled:
            for cell in groups[row]:
                if cell >= 0:
                    out[cell] = 0
        elif solutions_up_to(2, stack, out) == 1:
            return True
    return False


@kernel
def fit(state: State, cells: Places, most_steps: int, most_solutions: int, stack: Words, out: Digits) -> int:
    """Change the givens of uint8[81] `out` in `cells`, int64[n], until one solution is left.

    Up to three of them at a time give way to random ones of a solution; what does not have more solutions
    stays, counted up to `most_solutions`. `out` must have a solution; its other givens stay.
    Returns the solutions left after `most_steps`, 1 being success. Mutates the random `state`.
    """
    left = solutions_up_to(most_solutions, stack, out)
    before = out.copy()
    for _ in range(most_steps):
        if left == 1:
            break
        before[:] = out
        count = 1 + below(state, 3)
        places = np.empty(3, np.int64)
        for index in range(count):
            places[index] = cells[below(state, len(cells))]
            out[places[index]] = 0
        for index in range(count):
            if out[places[index]] == 0:
                fill_at_random(state, places[index], stack, out)
        found = solutions_up_to(min(left + 1, most_solutions), stack, out)
        if found > left:
            out[:] = before
        else:
            left = found
    return left
