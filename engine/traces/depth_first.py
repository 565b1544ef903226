"""Trace of plain depth-first search (Xue, Jiang, Li, 5.1), with the three figures its paper scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from engine.grid import Grid
from engine.rating import givens_and_search
from engine.rating.lines import Figures
from engine.search import depth_first as solver
from engine.search.bitboard import solution_count
from engine.traces.common import MOST_NODES, MOST_STEPS, check_step
from engine.traces.houses import Houses


@dataclass(frozen=True, slots=True)
class DepthFirstStep:
    """A digit written over what stood there, a cell emptied on the way back, or a solution seen."""

    kind: Literal["write", "back", "solution"]
    cell: int | None  # 0..80; None of a solution
    digit: int | None  # 1..9, written; None otherwise
    searches: int  # digits written so far


@dataclass(frozen=True, slots=True)
class DepthFirstTrace:
    """The search for two solutions: cells from the top left on, digits from 1 on."""

    puzzle: Grid
    steps: tuple[DepthFirstStep, ...]
    bound: int
    cut_off: bool
    searches: int  # of the whole search
    exceeded: bool  # the bound on nodes cut it
    solutions: int  # 0, 1 or 2, where 2 says several
    solution: Grid | None
    figures: Figures | None  # what the paper scores, at any length of search; None without one solution

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

    def __len__(self) -> int:
        return len(self.steps)

    def grid_at(self, step: int) -> Grid:
        """The digits that stand after so many steps."""
        check_step(step, len(self.steps))
        digits = bytearray(self.puzzle.digits)
        for each in self.steps[:step]:
            if each.cell is not None:
                digits[each.cell] = each.digit or 0
        return Grid(bytes(digits))


def depth_first(grid: Grid, bound: int = MOST_STEPS, most_nodes: int = MOST_NODES) -> DepthFirstTrace:
    """The trace of `grid`."""
    found = solver.search(grid, 2, most_nodes)
    steps = tuple(islice(_steps(grid), bound + 1))
    unique = solution_count(grid, 2) == 1  # told even where the plain search is given up
    return DepthFirstTrace(
        puzzle=grid,
        steps=steps[:bound],
        bound=bound,
        cut_off=len(steps) > bound,
        searches=found.nodes,
        exceeded=found.exceeded,
        solutions=len(found.solutions),
        solution=found.solutions[0] if found.solutions else None,
        figures=givens_and_search.figures(grid) if unique else None,
    )


def _steps(grid: Grid, limit: int = 2) -> Iterator[DepthFirstStep]:
    if grid.faults():
        return
    houses = Houses(grid)
    blanks = [cell for cell in range(81) if grid[cell] == 0]
    place = searches = solutions = 0
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
