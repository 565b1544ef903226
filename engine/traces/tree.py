"""Trace of the minimum-candidates search (Creating Sudoku Puzzles, 5.2): its decision tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.grid import Grid
from engine.rating import decision_tree as scheme
from engine.search import min_candidates as solver
from engine.search.bitboard import solution_count
from engine.search.min_candidates import TreeNode
from engine.traces.common import MOST_NODES, MOST_STEPS, check_step


@dataclass(frozen=True, slots=True)
class TreeTrace:
    """The first layouts of the decision tree of all solutions, depth first, parents before children."""

    puzzle: Grid
    nodes: tuple[
        TreeNode, ...
    ]  # m is `blanks`, n is `fewest`; cell and digit are on the edge from the parent
    bound: int
    cut_off: bool
    layouts: int | None  # of the whole tree; None where those are over the bound on nodes
    solution: Grid | None
    grade: int | None  # 1..4 of its own rating; None without exactly one solution

    @property
    def measures(self) -> Mapping[str, float | None]:
        """Layouts, the dead and final ones among those kept, and the grade."""
        found: dict[str, float | None] = {
            "layouts": self.layouts,
            "dead_shown": sum(node.dead for node in self.nodes),
            "final_shown": sum(node.final for node in self.nodes),
        }
        return found if self.grade is None else found | {"grade": self.grade}

    def __len__(self) -> int:
        return max(0, len(self.nodes) - 1)

    def grid_at(self, step: int) -> Grid:
        """The layout of node `step`; node 0 is the puzzle."""
        check_step(step, len(self))
        digits = bytearray(self.puzzle.digits)
        place: int | None = step if self.nodes else None
        while place is not None:
            node = self.nodes[place]
            if node.cell is not None and node.digit is not None:
                digits[node.cell] = node.digit
            place = node.parent
        return Grid(bytes(digits))


def tree(grid: Grid, bound: int = MOST_STEPS, most_nodes: int = MOST_NODES) -> TreeTrace:
    """The trace of `grid`; no node at all where it breaks the rules."""
    layouts = solver.tree_nodes(grid, most_nodes)
    found = solver.search(grid, 2, most_nodes)
    unique = solution_count(grid, 2) == 1  # told even where the search is given up
    return TreeTrace(
        puzzle=grid,
        nodes=solver.first_layouts(grid, bound if layouts is None else min(bound, layouts)),
        bound=bound,
        cut_off=layouts is None or layouts > bound,
        layouts=layouts,
        solution=found.solutions[0] if found.solutions else None,
        grade=scheme.score(grid) if unique else None,
    )
