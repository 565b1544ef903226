"""Puzzles designed by hand: analyze a layout, and complete it around its locked givens.

Adds, removes and changes givens with the means of methods and orders; generates nothing from scratch.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..arguments import one_of
from ..errors import RecipeError
from ..grid import Grid
from ..kernels import bitboard, digging
from ..kernels import grow as kernels
from ..kernels.rng import seeded
from ..position import Position
from ..search.bitboard import search, solution, solution_count, solve_many
from ..techniques import TECHNIQUES
from .dig import Groups, Order, drawn_groups
from .grow import fitted_to
from .recipe import FEWEST
from .symmetry import Symmetry
from .to_order import uses

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

MOST_SHOWN: Final = 100  # solutions that are compared cell by cell
MOST_COUNTED: Final = 1_000  # solutions that are counted


@dataclass(frozen=True, slots=True)
class Outlook:
    """The analysis of a layout of givens."""

    solutions: int  # counted up to MOST_COUNTED + 1
    digits: tuple[frozenset[int], ...]  # by cell, its digits in all solutions; all empty if there are none

    @property
    def free(self) -> frozenset[int]:
        """The cells that differ between solutions: a given in one of them rules some out."""
        return frozenset(cell for cell, found in enumerate(self.digits) if len(found) > 1)


def outlook(grid: Grid) -> Outlook:
    """Return how many solutions a grid has, and the possible digits of each cell."""
    found = search(grid, MOST_SHOWN).solutions
    digits = [{each[cell] for each in found} for cell in range(81)]
    if len(found) < MOST_SHOWN:
        return Outlook(len(found), tuple(map(frozenset, digits)))
    # Candidates not in the first solutions are tested one at a time.
    position = Position.from_grid(grid)
    asked = [
        (cell, digit)
        for cell in range(81)
        if not grid[cell]
        for digit in position.candidates(cell)
        if digit not in digits[cell]
    ]
    layouts = np.tile(grid.array(), (len(asked), 1))
    layouts[np.arange(len(asked)), [cell for cell, _digit in asked]] = [digit for _cell, digit in asked]
    _first, counts = solve_many(layouts, 1)
    for (cell, digit), count in zip(asked, counts.tolist(), strict=True):
        if count:
            digits[cell].add(digit)
    return Outlook(solution_count(grid, MOST_COUNTED + 1), tuple(map(frozenset, digits)))


def completed(
    grid: Grid,
    seed: int,
    *,
    locked: Collection[int] = (),
    shape: Collection[int] = (),
    symmetry: str = "none",
    stop: Callable[[], bool] = lambda: False,
) -> Grid | None:
    """Return a puzzle with one solution: `grid` with more givens, or with givens only in the cells of
    `shape`.

    locked: cells whose digits stay, also outside the shape. Without a shape all givens stay, and new ones are
    added with their images. None if `grid` has no solution, if the shape can't hold a puzzle with these
    digits, or once `stop` returns True. RecipeError for a shape that no digits make unique. The same seed
    gives the same puzzle.
    """
    state = seeded(seed)
    if solution(grid) is None:
        return None
    if not shape:
        return _grown(grid, _symmetry(symmetry), state)
    pattern = sorted({*shape, *(cell for cell in locked if grid[cell])})
    check_shape(pattern)
    while not stop():
        found = _in_shape(grid, pattern, locked, state)
        if found is not None:
            return found
        grid = _only(grid, locked)  # its digits may be a dead end
    return None


def _grown(grid: Grid, symmetry: Symmetry, state: State) -> Grid:
    """Return a solvable grid with givens added, first in empty groups of the symmetry, then one by one."""
    puzzle, stack = grid.array().copy(), bitboard.workspace()
    if kernels.solutions_up_to(2, stack, puzzle) == 1:
        return grid
    for each in (symmetry, Symmetry.NONE):
        if kernels.grow(state, drawn_groups(Order.RANDOM, each, state), stack, puzzle):
            break
    return Grid(puzzle.tobytes())


def _in_shape(grid: Grid, pattern: list[int], locked: Collection[int], state: State) -> Grid | None:
    puzzle, stack = np.zeros(81, np.uint8), bitboard.workspace()
    puzzle[pattern] = grid.array()[pattern]
    for cell in pattern:
        if not puzzle[cell]:
            kernels.fill_at_random(state, cell, stack, puzzle)
    free = np.array([cell for cell in pattern if cell not in locked or not grid[cell]], np.int64)
    left = fitted_to(puzzle, free, state) if len(free) else solution_count(grid)
    return Grid(puzzle.tobytes()) if left == 1 else None


def _only(grid: Grid, cells: Collection[int]) -> Grid:
    return Grid(bytes(grid[cell] if cell in cells else 0 for cell in range(81)))


def check_shape(pattern: Collection[int]) -> None:
    """Raise RecipeError if no digits in exactly these cells have one solution."""
    if len(set(pattern)) < FEWEST:
        raise RecipeError("shape", f"expected at least {FEWEST} cells, found {len(set(pattern))}")
    filled = {"r": {cell // 9 for cell in pattern}, "c": {cell % 9 for cell in pattern}}
    for kind, lines in filled.items():
        for first in (0, 3, 6):
            empty = sorted({first, first + 1, first + 2} - lines)
            if len(empty) > 1:
                found = f"{kind}{empty[0] + 1} and {kind}{empty[1] + 1}"
                raise RecipeError("shape", f"expected no two lines to swap, found {found} empty")


def thinned(
    grid: Grid, seed: int, *, locked: Collection[int] = (), symmetry: str = "none", fewest: int = 0
) -> Grid:
    """Return a puzzle without redundant givens, or with `fewest` left.

    grid: has one solution. locked: givens that stay. A symmetry removes its images together.
    """
    state, full = seeded(seed), solution(grid)
    assert full is not None
    groups = drawn_groups(Order.RANDOM, _symmetry(symmetry), state)
    out = grid.array().copy()
    digging.dig(full.array(), _without(groups, locked), fewest, 0, 0, bitboard.workspace(), out)
    return Grid(out.tobytes())


def _without(groups: Groups, locked: Collection[int]) -> Groups:
    """Return the groups without a locked cell."""
    return groups[~np.isin(groups, list(locked)).any(axis=1)]


def needing(
    grid: Grid,
    technique: str,
    seed: int,
    *,
    locked: Collection[int] = (),
    shape: Collection[int] = (),
    symmetry: str = "none",
    stop: Callable[[], bool],
) -> Grid | None:
    """Return a puzzle around the locked digits whose solution path uses a technique; None once `stop` returns
    True.

    Tries `grid` without redundant givens first, then others. Raises the same as `completed`.
    """
    one_of("technique", technique, TECHNIQUES)
    fits, start = uses(frozenset([technique]), frozenset()), grid
    while not stop():
        seed += 1
        puzzle = completed(start, seed, locked=locked, shape=shape, symmetry=symmetry, stop=stop)
        if puzzle is None:
            return None
        if not shape:
            puzzle = thinned(puzzle, seed, locked=locked, symmetry=symmetry)
        if fits(Position.from_grid(puzzle)):
            return puzzle
        start = _only(grid, locked)
    return None


def _symmetry(name: str) -> Symmetry:
    one_of("symmetry", name, [each.value for each in Symmetry])
    return Symmetry(name)
