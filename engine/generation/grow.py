"""Generate puzzles by adding givens: from a layout with many solutions to one with a single one.

Source: Creating Sudoku Puzzles, abstract and 5.2; the steps it leaves open are chosen here. Given patterns
use the same means: the cells are prescribed, and digits change until one solution is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..grid import Grid
from ..kernels import bitboard, digging
from ..kernels import grow as kernels
from .dig import Order, drawn_groups
from .symmetry import Symmetry

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

MOST_STEPS: Final = 500  # single changes in a pattern before pairs are compared
MOST_PAIRS: Final = 2_000  # pairs of changes before starting again
MOST_SOLUTIONS: Final = 1_000  # limit when counting a pattern's solutions: beyond, all changes look alike
MOST_WITHOUT: Final = 2_000  # the same without a pair
MOST_STEPS_BACK: Final = 20  # before a layout is started again


def grown(
    state: State,
    symmetry: Symmetry,
    fewest: int = 0,
    wanted: int | None = None,
    grade: Callable[[Grid], int | None] | None = None,
) -> Digits | None:
    """Return a new uint8[81] puzzle with one solution, at least `fewest` givens and the `wanted` grade, or
    None.

    An empty layout gets random digits of its solutions in random cells until a single solution is left. While
    its grade is higher than `wanted`, givens are added, which makes it easier. Once it is lower, the last
    half of the givens is removed and others are tried, up to 20 times.
    """
    stack, puzzle, added = bitboard.workspace(), np.zeros(81, np.uint8), []
    for _ in range(MOST_STEPS_BACK):
        groups = drawn_groups(Order.RANDOM, symmetry, state)
        before = puzzle.copy()
        kernels.grow(state, groups, stack, puzzle)
        added += [group for group in groups.tolist() if puzzle[group[0]] and not before[group[0]]]
        spare = [group for group in groups.tolist() if not puzzle[group[0]]]
        missed = reached(puzzle, fewest, wanted, grade)
        while missed > 0 and spare:
            group = spare.pop()
            for cell in group:
                if cell >= 0:
                    kernels.fill_at_random(state, cell, stack, puzzle)
            added.append(group)
            missed = reached(puzzle, fewest, wanted, grade)
        if missed == 0:
            return puzzle
        for group in added[len(added) // 2 :]:
            puzzle[[cell for cell in group if cell >= 0]] = 0
        added = added[: len(added) // 2]
    return None


def reached(
    puzzle: Digits, fewest: int, wanted: int | None, grade: Callable[[Grid], int | None] | None
) -> int:
    """Return 0 if a puzzle is as wanted, positive if it has too few givens or is too hard, else negative."""
    if np.count_nonzero(puzzle) < fewest:
        return 1
    if wanted is None or grade is None:
        return 0
    found = grade(Grid(puzzle.tobytes()))
    return 1 if found is None else found - wanted


def pared(state: State, symmetry: Symmetry, puzzle: Digits) -> Digits:
    """Return the puzzle without redundant givens, tried in random order; a symmetry removes images
    together.
    """
    kept, groups = puzzle.copy(), drawn_groups(Order.RANDOM, symmetry, state)
    digging.dig(_solved(puzzle), groups, 0, 0, 0, bitboard.workspace(), kept)
    return kept


def grown_grid(state: State) -> Digits:
    """Return a new uint8[81], the solution of a puzzle grown without requirements."""
    puzzle = np.zeros(81, np.uint8)
    kernels.grow(state, drawn_groups(Order.RANDOM, Symmetry.NONE, state), bitboard.workspace(), puzzle)
    return _solved(puzzle)


def fitted(solution: Digits, pattern: Sequence[int], state: State) -> tuple[Digits, int]:
    """Return a new uint8[81] puzzle with givens only in the cells of `pattern`, and its number of solutions,
    usually 1.

    It starts with the digits of `solution` there. Up to three givens at a time change while that leaves no
    more solutions than before; once that fails, all digits of two at a time are compared.
    """
    cells = np.array(pattern, np.int64)
    puzzle, stack = np.zeros(81, np.uint8), bitboard.workspace()
    puzzle[cells] = solution[cells]
    left = kernels.fit(state, cells, MOST_STEPS, MOST_SOLUTIONS, stack, puzzle)
    if left > 1 and len(cells) > 1:
        without = np.empty((MOST_WITHOUT, 81), np.uint8)
        left = kernels.tighten(state, cells, MOST_PAIRS, left, without, stack, puzzle)
    return puzzle, left


def completed(puzzle: Digits, state: State) -> Digits:
    """Return a new uint8[81] puzzle with one solution: a solvable one, with as few added givens as
    possible.
    """
    out = puzzle.copy()
    kernels.complete(state, np.empty((MOST_WITHOUT, 81), np.uint8), bitboard.workspace(), out)
    return out


def _solved(puzzle: Digits) -> Digits:
    out = np.zeros(81, np.uint8)
    stack = bitboard.workspace()
    bitboard.start(puzzle, stack[0])
    bitboard.search(1, bitboard.UNBOUNDED, stack, out.reshape(1, 81))
    return out
