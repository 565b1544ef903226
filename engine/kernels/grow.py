"""Add givens on arrays until one solution is left, or change them in prescribed cells. Digs nothing."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .bitboard import UNBOUNDED, Digits, Words, ban, search, start
from .houses import Mask
from .rng import below, shuffle
from .solved_grids import allowed_digits

State = NDArray[np.uint64]
Places = NDArray[np.int64]

ONE_WORSE: Final = 30


@kernel
def solutions_up_to(limit: int, stack: Words, puzzle: Digits) -> int:
    """Count the solutions of uint8[81] `puzzle` up to `limit`; overwrites the solver's `stack`."""
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
    """Add givens to uint8[81] `out` until one solution is left; False if the groups don't suffice.

    groups: int64[n, k], the cells filled together, in order, padded with -1. A group that reduces nothing
    stays empty, and so does one with a filled cell. `out` must have a solution. Mutates the random `state`,
    overwrites the solver's `stack`.
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

    Up to three of them at a time are replaced by random ones of a solution; a change stays if it leaves no
    more solutions, counted up to `most_solutions`. `out` must have a solution; its other givens stay. Returns
    the solutions left after `most_steps`; 1 is success. Mutates the random `state`.
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

    Takes the pair of digits that leaves the fewest solutions: one search counts them for all pairs, so a step
    sees much more than one of `fit` if `out` has few solutions. A pair that leaves more than before is
    accepted once in ONE_WORSE times, to escape dead ends.

    left: the number of solutions of `out`. solutions: uint8[k, 81], scratch; a pair that leaves as many
    stays. Returns the solutions left after `most_steps`; 1 is success. Mutates the random `state`.
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
    """Add givens to uint8[81] `out`, which has a solution, until one is left, each time the one that leaves
    fewest.

    solutions: uint8[k, 81], scratch; if `out` has more, only so many are examined. Mutates the random
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
    """Return the place of the smallest number above 0, ties at random; -1 if all are 0."""
    chosen, equals = -1, 0
    for place in range(len(counts)):
        if counts[place] == 0 or (chosen >= 0 and counts[place] > counts[chosen]):
            continue
        equals = equals + 1 if chosen >= 0 and counts[place] == counts[chosen] else 1
        if below(state, equals) == 0:
            chosen = place
    return chosen
