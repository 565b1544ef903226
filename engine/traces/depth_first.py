"""Trace of plain depth-first search (Xue, Jiang, Li, 5.1), with its paper's three figures and scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from types import MappingProxyType
from typing import Literal

from ..grid import Grid
from ..rating import givens_and_search
from ..rating.lines import Figures
from ..search import depth_first as solver
from ..search.bitboard import solution_count
from .common import MOST_NODES, MOST_STEPS, Kept, SearchTrace, last_before
from .houses import Houses


@dataclass(frozen=True, slots=True)
class DepthFirstStep:
    """A digit written over the previous one, a cell emptied on the way back, or a solution found."""

    kind: Literal["write", "back", "solution"]
    cell: int | None  # 0..80; None for a solution
    digit: int | None  # 1..9, written; None otherwise
    searches: int  # digits written so far


@dataclass(frozen=True, slots=True)
class DepthFirstTrace(SearchTrace[DepthFirstStep]):
    """The search for two solutions: cells from the top left on, digits from 1 on."""

    searches: int  # of the whole search
    figures: Figures | None  # the paper's figures, for a search of any length; None without one solution

    @property
    def measures(self) -> Mapping[str, float | None]:
        """Searches, and the paper's three figures with their score and level."""
        found: dict[str, float | None] = {"searches": None if self.exceeded else self.searches}
        if self.figures is not None:
            found |= {
                "givens": self.figures.givens,
                "fewest_in_line": self.figures.fewest_in_line,
                "score": self.figures.score,
                "level": self.figures.level,
            }
        return found

    def grid_at(self, step: int) -> Grid:
        """Return the digits after a number of steps."""
        start, steps = self.kept.before(self.puzzle, step)
        digits = bytearray(start.digits)
        for each in steps:
            if each.cell is not None:
                digits[each.cell] = each.digit or 0
        return Grid(bytes(digits))


def depth_first(grid: Grid, bound: int = MOST_STEPS, most_nodes: int = MOST_NODES) -> DepthFirstTrace:
    """Return the trace of `grid`."""
    found = solver.search(grid, 2, most_nodes)
    steps = tuple(islice(_steps(grid), bound + 1))
    cut_off = len(steps) > bound
    kept = Kept(steps[:bound])
    if cut_off and all(each.kind != "solution" for each in steps[:bound]):
        kept = _with_its_end(grid, kept, most_nodes)
    unique = solution_count(grid, 2) == 1  # known even if the plain search is given up
    return DepthFirstTrace(
        puzzle=grid,
        kept=kept,
        bound=bound,
        cut_off=cut_off,
        searches=found.nodes,
        exceeded=found.exceeded,
        solutions=len(found.solutions),
        solution=found.solutions[0] if found.solutions else None,
        figures=givens_and_search.figures(grid) if unique else None,
    )


def _with_its_end(grid: Grid, kept: Kept[DepthFirstStep], most_nodes: int) -> Kept[DepthFirstStep]:
    """Return the kept steps, with those before the first solution if the search finds one."""
    found = solver.search(grid, 1, most_nodes)
    if not found.solutions:
        return kept
    blanks = [cell for cell in range(81) if grid[cell] == 0]

    def run(filled: int) -> Iterator[DepthFirstStep]:
        return _steps(grid, 1, {cell: found.solutions[0][cell] for cell in blanks[:filled]})

    last, resumed = last_before(found.solutions[0], blanks, run)
    # A digit leads to the next cell, a step back to the previous one: the number of filled cells is the
    # difference. The last of all steps is the solution.
    whole = 2 * found.nodes - len(blanks) + 1
    first = kept.first[: max(0, whole - len(last))]
    written = found.nodes - sum(each.kind == "write" for each in last)
    last = tuple(replace(each, searches=each.searches + written) for each in last)
    return Kept(first, last, whole - len(last) - len(first), resumed)


def _steps(
    grid: Grid, limit: int = 2, filled: Mapping[int, int] = MappingProxyType({})
) -> Iterator[DepthFirstStep]:
    """Yield the search, starting with its first cells `filled`."""
    if grid.faults():
        return
    houses = Houses(grid)
    blanks = [cell for cell in range(81) if grid[cell] == 0]
    for cell, digit in filled.items():
        houses.put(cell, digit)
    place, searches, solutions = len(filled), 0, 0
    while place >= 0:
        if place == len(blanks):
            yield DepthFirstStep("solution", None, None, searches)
            solutions += 1
            if solutions == limit:
                return
            place -= 1
            continue
        cell = blanks[place]
        digit = houses.take(cell)
        untried = [other for other in houses.candidates(cell) if other > digit]
        if untried:
            searches += 1
            houses.put(cell, untried[0])
            yield DepthFirstStep("write", cell, untried[0], searches)
            place += 1
        else:
            yield DepthFirstStep("back", cell, None, searches)
            place -= 1
