"""Trace of the minimum-candidates search (Creating Sudoku Puzzles, 5.2): its decision tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..grid import Grid
from ..rating.lines import DECISION_TREE, Figures
from ..search import min_candidates as solver
from ..search.bitboard import solution_count
from ..search.min_candidates import TreeNode
from .common import MOST_NODES, MOST_STEPS, check_step


@dataclass(frozen=True, slots=True)
class TreeTrace:
    """The first layouts of the decision tree of all solutions, depth first, parents before children."""

    puzzle: Grid
    # m is `blanks`, n is `fewest`; cell and digit are on the edge from the parent
    nodes: tuple[TreeNode, ...]
    # Each node's number in the whole tree; beyond the bound, only those on the path to the solution
    numbers: tuple[int, ...]
    bound: int
    cut_off: bool
    layouts: int | None  # in the whole tree; None if over the limit on nodes
    solution: Grid | None
    figures: Figures | None  # the paper's figures; None without exactly one solution

    @property
    def grade(self) -> int | None:
        """1..4 by its own rating."""
        return None if self.figures is None else self.figures.level

    @property
    def measures(self) -> Mapping[str, float | None]:
        """Layouts, the dead and final ones among those kept, and the grade."""
        found: dict[str, float | None] = {
            "layouts": self.layouts,
            "dead_shown": sum(node.dead for node in self.nodes),
            "final_shown": sum(node.final for node in self.nodes),
        }
        return found if self.grade is None else found | {"grade": self.grade}

    @property
    def solved_at(self) -> int | None:
        """The first kept final layout."""
        return next((at for at, node in enumerate(self.nodes) if node.final), None)

    def number(self, step: int) -> int:
        """The number of a kept layout in the whole tree."""
        return self.numbers[step] if self.nodes else 0

    def __len__(self) -> int:
        return max(0, len(self.nodes) - 1)

    def grid_at(self, step: int) -> Grid:
        """Return the layout of node `step`; node 0 is the puzzle."""
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
    """Return the trace of `grid`; no node at all if it breaks the rules."""
    layouts = solver.tree_nodes(grid, most_nodes)
    found = solver.search(grid, 2, most_nodes)
    unique = solution_count(grid, 2) == 1  # known even if the search is given up
    nodes = solver.first_layouts(grid, bound if layouts is None else min(bound, layouts))
    numbers = tuple(range(len(nodes)))
    if found.solutions and not any(node.final for node in nodes):
        nodes, numbers = _with_the_way(nodes, solver.first_layouts(grid, found.nodes + 1))
    return TreeTrace(
        puzzle=grid,
        nodes=nodes,
        numbers=numbers,
        bound=bound,
        cut_off=layouts is None or layouts > bound,
        layouts=layouts,
        solution=found.solutions[0] if found.solutions else None,
        figures=DECISION_TREE.figures(grid) if unique else None,
    )


def _with_the_way(
    first: tuple[TreeNode, ...], whole: tuple[TreeNode, ...]
) -> tuple[tuple[TreeNode, ...], tuple[int, ...]]:
    """Return the first layouts and, beyond them, those on the path to the first solution, each with its
    number.
    """
    final = next((at for at, node in enumerate(whole) if node.final), None)
    way: list[int] = []
    while final is not None and final >= len(first):
        way.insert(0, final)
        final = whole[final].parent
    numbers = (*range(len(first)), *way)
    place = {number: at for at, number in enumerate(numbers)}
    nodes = [
        node if node.parent is None else replace(node, parent=place[node.parent])
        for node in (whole[number] for number in numbers)
    ]
    return tuple(nodes), numbers
