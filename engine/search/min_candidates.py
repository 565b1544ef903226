"""The minimum-candidates search with its decision tree; propagates nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..grid import Grid
from ..kernels import min_candidates as kernels
from ..kernels.bitboard import UNBOUNDED
from .searcher import MOST_NODES, SearchResult, gather

MOST_TREE_NODES: Final = 100_000


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A layout of the decision tree, in the paper's notation (m, n)."""

    blanks: int  # m
    fewest: int  # n, the fewest candidates of any blank cell; 0 if there is none
    parent: int | None  # its parent's index in the tuple; None for the original layout
    cell: int | None = None  # the parent's blank cell that was filled: the edge
    digit: int | None = None  # and the digit

    @property
    def final(self) -> bool:
        """Whether it is a solution."""
        return self.blanks == 0

    @property
    def dead(self) -> bool:
        """Whether a blank cell has no candidate."""
        return self.blanks > 0 and self.fewest == 0


_NO_SOLUTIONS: Final = np.empty((0, 81), np.uint8)
_NO_TREE: Final = np.empty((0, 4), np.int64)


def tree_nodes(grid: Grid, most_nodes: int = MOST_NODES) -> int | None:
    """Return the number of layouts in the decision tree of `grid`; None if over `most_nodes`."""
    nodes = kernels.search(grid.array(), UNBOUNDED, most_nodes, _NO_SOLUTIONS, _NO_TREE)[1]
    return None if nodes > most_nodes else nodes


def decision_tree(grid: Grid, most_nodes: int = MOST_TREE_NODES) -> tuple[TreeNode, ...] | None:
    """Return every layout on the way to all solutions of `grid`, parents first.

    None if there are more than `most_nodes`; no layout at all if the grid breaks the rules.
    """
    nodes = tree_nodes(grid, most_nodes)
    return None if nodes is None else first_layouts(grid, nodes)


def first_layouts(grid: Grid, count: int) -> tuple[TreeNode, ...]:
    """Return the first `count` layouts of the decision tree of `grid`, depth first; fewer if it ends."""
    tree = np.zeros((count, 4), np.int64)
    nodes = kernels.search(grid.array(), UNBOUNDED, count, _NO_SOLUTIONS, tree)[1]
    last_of: dict[int, int] = {}  # blanks -> the latest layout with so many
    found = []
    for place, (blanks, fewest, cell, digit) in enumerate(tree[:nodes].tolist()):
        parent = last_of.get(blanks + 1)
        edge = (None, None) if parent is None else (cell, digit)
        found.append(TreeNode(blanks, fewest, parent, *edge))
        last_of[blanks] = place
    return tuple(found)


def search(grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
    """Return every solution of `grid` up to `limit`, the cell with the fewest candidates first.

    A node is a layout of the decision tree, including the original, dead and final ones. Source: Creating
    Sudoku Puzzles, 5.2.
    """
    givens = grid.array()
    return gather(
        lambda out: kernels.search(givens, limit, most_nodes, out, _NO_TREE),
        limit,
        most_nodes,
    )
