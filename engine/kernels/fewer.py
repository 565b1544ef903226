"""Givens taken from a puzzle on arrays, two for one, until few are left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bitboard import UNBOUNDED, Digits, Words, search, start
from engine.kernels.grow import solutions_up_to
from engine.kernels.rng import below, shuffle

State = NDArray[np.uint64]
Counts = NDArray[np.int32]


@kernel
def fewer(state: State, fewest: int, most: int, solutions: Digits, stack: Words, puzzle: Digits) -> bool:
    """Take givens from uint8[81] `puzzle`, which has one solution, until at most `most` are left.

    Givens that can be spared go first, down to `fewest`. Then two make room for one: among the solutions that
    are left without them, a digit that a single one has in its cell. Where no two givens will do, one makes
    room for another, and that is all for now. Returns whether it did, so that to go on may lead further.
    solutions: uint8[k, 81], scratch; givens whose loss leaves so many solutions stay.  stack: the solver's
    workspace. Mutates the random `state`.
    """
    cells = np.empty(81, dtype=np.int64)
    counts = np.empty((81, 10), dtype=np.int32)
    while True:
        count = pare(state, fewest, cells, stack, puzzle)
        if count <= most:
            return False
        if not _two_for_one(state, cells[:count], counts, solutions, stack, puzzle):
            return _one_for_one(state, cells[:count], counts, solutions, stack, puzzle)


@kernel
def pare(state: State, fewest: int, cells: NDArray[np.int64], stack: Words, puzzle: Digits) -> int:
    """Take out what can be spared; the givens left, in random order in `cells`, and how many they are."""
    count = 0
    for cell in range(81):
        if puzzle[cell]:
            cells[count] = cell
            count += 1
    shuffle(state, cells[:count])
    at = 0
    while at < count and count > fewest:
        kept = puzzle[cells[at]]
        puzzle[cells[at]] = 0
        if solutions_up_to(2, stack, puzzle) == 1:
            count -= 1
            cells[at] = cells[count]
        else:
            puzzle[cells[at]] = kept
            at += 1
    return count


@kernel
def _two_for_one(
    state: State, cells: NDArray[np.int64], counts: Counts, solutions: Digits, stack: Words, puzzle: Digits
) -> bool:
    """Make the first exchange of two givens in `cells` for one; whether there is any."""
    for first in range(1, len(cells)):
        for second in range(first):
            if _exchange(state, cells[first], cells[second], counts, solutions, stack, puzzle):
                return True
    return False


@kernel
def _one_for_one(
    state: State, cells: NDArray[np.int64], counts: Counts, solutions: Digits, stack: Words, puzzle: Digits
) -> bool:
    """Make the first exchange of one given in `cells` for another; whether there is any."""
    for index in range(len(cells)):
        if _exchange(state, cells[index], cells[index], counts, solutions, stack, puzzle):
            return True
    return False


@kernel
def _exchange(
    state: State, one: int, other: int, counts: Counts, solutions: Digits, stack: Words, puzzle: Digits
) -> bool:
    """Put one given that leaves a single solution in the place of two, or of one alone; whether there is one.

    counts: int32[81, 10], scratch: in how many solutions a digit stands in a cell.
    """
    first, second = puzzle[one], puzzle[other]
    puzzle[one] = 0
    puzzle[other] = 0
    start(puzzle, stack[0])
    found = search(len(solutions), UNBOUNDED, stack, solutions)[0]
    chosen = -1
    if found < len(solutions):
        counts[:] = 0
        for index in range(found):
            for cell in range(81):
                counts[cell, solutions[index, cell]] += 1
        fitting = 0
        for cell in range(81):
            for digit in range(1, 10):
                same = one == other and cell == one and digit == first
                if counts[cell, digit] == 1 and not puzzle[cell] and not same:
                    fitting += 1
                    if below(state, fitting) == 0:
                        chosen = 10 * cell + digit
    if chosen < 0:
        puzzle[one] = first
        puzzle[other] = second
        return False
    puzzle[chosen // 10] = chosen % 10
    return True
