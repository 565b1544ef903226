"""Givens added on arrays until one solution is left, or changed in prescribed cells. Digs nothing."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bitboard import UNBOUNDED, Digits, Words, ban, search, start
from engine.kernels.houses import Mask
from engine.kernels.rng import below, shuffle
from engine.kernels.solved_grids import allowed_digits

State = NDArray[np.uint64]
Places = NDArray[np.int64]

ONE_WORSE: Final = 30


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
        for cell in range(81):
            before[cell] = out[cell]
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
            for cell in range(81):
                out[cell] = before[cell]
        else:
            left = found
    return left


@kernel
def tighten(
    state: State, cells: Places, most_steps: int, left: int, solutions: Digits, stack: Words, out: Digits
) -> int:
    """Change two givens of uint8[81] `out` in `cells`, int64[n], at a time, until one solution is left.

    Of all pairs of digits that leave a solution, the one that leaves fewest takes their place: one search
    counts them all, so a step sees much more than one of `fit`, where `out` has few solutions. What leaves
    more than before is taken once in ONE_WORSE times, to get away from a pattern's dead ends.

    left: how many solutions `out` has.  solutions: uint8[k, 81], scratch; a pair that leaves so many stays.
    Returns the solutions left after `most_steps`, 1 being success. Mutates the random `state`.
    """
    counts = np.empty(100, dtype=np.int32)
    for _ in range(most_steps):
        if left == 1:
            break
        first, second = cells[below(state, len(cells))], cells[below(state, len(cells))]
        if first == second:
            continue
        before = 10 * out[first] + out[second]
        out[first] = 0
        out[second] = 0
        start(out, stack[0])
        found = search(len(solutions), UNBOUNDED, stack, solutions)[0]
        chosen = before
        if found < len(solutions):
            counts[:] = 0
            for index in range(found):
                counts[10 * solutions[index, first] + solutions[index, second]] += 1
            counts[before] = 0
            chosen = _least(state, counts)
            if chosen < 0 or (counts[chosen] > left and below(state, ONE_WORSE)):
                chosen = before
            else:
                left = counts[chosen]
        out[first] = chosen // 10
        out[second] = chosen % 10
    return left


@kernel
def complete(state: State, solutions: Digits, stack: Words, out: Digits) -> None:
    """Add givens to uint8[81] `out`, which has a solution, until one is left, each what leaves fewest.

    solutions: uint8[k, 81], scratch; where `out` has more, only so many are looked at. Mutates the random
    `state`.
    """
    counts = np.empty(810, dtype=np.int32)
    while True:
        start(out, stack[0])
        found = search(len(solutions), UNBOUNDED, stack, solutions)[0]
        if found == 1:
            return
        counts[:] = 0
        for index in range(found):
            for cell in range(81):
                if out[cell] == 0:
                    counts[10 * cell + int(solutions[index, cell])] += 1
        chosen = _least(state, counts)
        out[chosen // 10] = chosen % 10


@kernel
def _least(state: State, counts: NDArray[np.int32]) -> int:
    """The place of the least number above 0, each of equals equally likely; -1 where all are 0."""
    chosen, equals = -1, 0
    for place in range(len(counts)):
        if counts[place] == 0 or (chosen >= 0 and counts[place] > counts[chosen]):
            continue
        equals = equals + 1 if chosen >= 0 and counts[place] == counts[chosen] else 1
        if below(state, equals) == 0:
            chosen = place
    return chosen
