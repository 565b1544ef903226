"""The search that two systems share: cells in order, digits from 1 on, a step back from each dead end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from ..grid import Grid
from ..search import Searcher
from .common import Kept, last_before
from .houses import Houses

Possible = Sequence[Sequence[int]]  # the digits of each of the 81 cells


@dataclass(frozen=True, slots=True)
class StackStep:
    """A digit written over the previous one, a cell emptied on the way back, or a solution found."""

    kind: Literal["write", "back", "solution"]
    cell: int | None  # 0..80; None for a solution
    digit: int | None  # 1..9, written; None otherwise
    top: int  # cells of the stack that are filled after it
    nodes: int  # digits written so far


def grid_after(kept: Kept[StackStep], start: Grid, step: int) -> Grid:
    """Return the digits after a number of steps from `start`."""
    before, steps = kept.before(start, step)
    digits = bytearray(before.digits)
    for each in steps:
        if each.cell is not None:
            digits[each.cell] = each.digit or 0
    return Grid(bytes(digits))


def kept_steps(
    search: Searcher, puzzle: Grid, start: Grid, possible: Possible, bound: int, most_nodes: int
) -> tuple[Kept[StackStep], bool]:
    """Return the first `bound` steps, with those before the first solution if it comes later, and whether
    there are more.

    search: the compiled search, of a puzzle whose stack begins at `start`, without faults.
    """
    cells = [cell for cell in range(81) if start[cell] == 0]
    steps = tuple(islice(_steps(Houses(start), cells, possible), bound + 1))
    kept, cut_off = Kept(steps[:bound]), len(steps) > bound
    if not cut_off or any(each.kind == "solution" for each in kept.first):
        return kept, cut_off
    found = search(puzzle, 1, most_nodes)
    if not found.solutions:
        return kept, cut_off
    solution = found.solutions[0]

    def run(filled: int) -> Iterator[StackStep]:
        digits = bytearray(start.digits)
        for cell in cells[:filled]:
            digits[cell] = solution[cell]
        return _steps(Houses(Grid(bytes(digits))), cells, possible, 1, filled)

    last, resumed = last_before(solution, cells, run)
    # A digit leads to the next cell, a step back to the previous one: the number of filled cells is the
    # difference. The last of all steps is the solution.
    whole = 2 * found.nodes - len(cells) + 1
    first = kept.first[: max(0, whole - len(last))]
    written = found.nodes - sum(each.kind == "write" for each in last)
    last = tuple(replace(each, nodes=each.nodes + written) for each in last)
    return Kept(first, last, whole - len(last) - len(first), resumed), cut_off


def _steps(
    houses: Houses, cells: Sequence[int], possible: Possible, limit: int = 2, filled: int = 0
) -> Iterator[StackStep]:
    """Yield the search of the cells, starting with the first ones `filled`."""
    top, nodes, solutions = filled, 0, 0
    while top >= 0:
        if top == len(cells):
            yield StackStep("solution", None, None, top, nodes)
            solutions += 1
            if solutions == limit:
                return
            top -= 1
            continue
        cell = cells[top]
        digit = houses.take(cell)
        allowed = houses.candidates(cell)
        untried = [other for other in possible[cell] if other > digit and other in allowed]
        if untried:
            nodes += 1
            top += 1
            houses.put(cell, untried[0])
            yield StackStep("write", cell, untried[0], top, nodes)
        else:
            yield StackStep("back", cell, None, top, nodes)
            top -= 1
