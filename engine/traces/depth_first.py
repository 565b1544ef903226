"""Trace of plain depth-first search (Xue, Jiang, Li, 5.1), with its paper's three figures and scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..grid import Grid
from ..rating.lines import GIVENS_AND_SEARCH, Figures
from ..search import depth_first as solver
from ..search.bitboard import solution_count
from .common import MOST_NODES, MOST_STEPS, Kept, SearchTrace
from .stack import StackStep, grid_after, kept_steps


@dataclass(frozen=True, slots=True)
class DepthFirstTrace(SearchTrace[StackStep]):
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
        return grid_after(self.kept, self.puzzle, step)


def depth_first(grid: Grid, bound: int = MOST_STEPS, most_nodes: int = MOST_NODES) -> DepthFirstTrace:
    """Return the trace of `grid`."""
    found = solver.search(grid, 2, most_nodes)
    kept: Kept[StackStep] = Kept(())
    cut_off = False
    if not grid.faults():
        kept, cut_off = kept_steps(solver.search, grid, grid, [range(1, 10)] * 81, bound, most_nodes)
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
        figures=GIVENS_AND_SEARCH.figures(grid) if unique else None,
    )
