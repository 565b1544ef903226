"""Replace two givens of a puzzle by one, on arrays, until few are left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .bitboard import UNBOUNDED, Digits, Words, search, start
from .grow import solutions_up_to
from .rng import below, shuffle

State = NDArray[np.uint64]
Counts = NDArray[np.int32]


@kernel
def fewer(state: State, fewest: int, most: int, solutions: Digits, stack: Words, puzzle: Digits) -> bool:
    """Remove givens from uint8[81] `puzzle`, which has one solution, until at most `most` are left.

    Redundant givens are removed first, down to `fewest`. Then two are replaced by one: a digit that only one
    of the solutions without the two has in its cell. If no two can be replaced, one is exchanged for another,
    and the function returns True, since another call may get further.
    solutions: uint8[k, 81], scratch; givens whose removal leaves as many solutions stay. stack: the solver's
    workspace. Mutates the random `state`.
    """
    cells = np.empty(81, dtype=np.int64)
    counts = np.empty((81, 10), dtype=np.int32)
    while True:
        count = pare(state, fewest, cells, stack, puzzle)
        if count <= most:
            return False
        if not _trade(state, True, cells[:count], counts, solutions, stack, puzzle):
            return _trade(state, False, cells[:count], counts, solutions, stack, puzzle)


@kernel
def pare(state: State, fewest: int, cells: NDArray[np.int64], stack: Words, puzzle: Digits) -> int:
    """Remove redundant givens; returns the remaining ones, in random order in `cells`, and their number."""
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
def _trade(
    state: State,
    two: bool,
    cells: NDArray[np.int64],
    counts: Counts,
    solutions: Digits,
    stack: Words,
    puzzle: Digits,
) -> bool:
    """Exchange the first two givens in `cells`, or the first one, that one replaces; False without any."""
    for first in range(len(cells)):
        for second in range(0 if two else first, first if two else first + 1):
            if _exchange(state, cells[first], cells[second], counts, solutions, stack, puzzle):
                return True
    return False


@kernel
def _exchange(
    state: State, one: int, other: int, counts: Counts, solutions: Digits, stack: Words, puzzle: Digits
) -> bool:
    """Replace one or two givens by one that leaves a single solution; returns whether there is one.

    counts: int32[81, 10], scratch: the number of solutions with each digit in each cell.
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
