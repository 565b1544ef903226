"""Full grids to dig in: one maker for each published system, and one that favours no grid at all.

A maker takes a random state, mutates it and returns a fresh uint8[81].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.generation.symmetry import Symmetry
from engine.generation.transform import redraw
from engine.kernels import bitboard, dancing_links, depth_first, uniform_grids
from engine.kernels import solved_grids as kernels
from engine.kernels.rng import shuffle

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

LAS_VEGAS_CELLS: Final = 11  # Xue, Jiang, Li, 5.2.1: n = 11 has a solution in 99.7 % of the draws
MOST_SEARCHES: Final = 1_000_000  # the same for plain depth-first search; one in thirty needs more
MOST_NODES: Final = 10_000  # a beginning whose completion needs more is drawn again; hardly any does


def las_vegas(state: State, cells: int = LAS_VEGAS_CELLS) -> Digits:
    """Eleven random cells, or `cells`, get a random digit the rules allow there, a solver does the rest.

    A beginning without a solution is drawn again. Since the solver's first solution leans to its own order, a
    random equivalent of it is taken. Source: Xue, Jiang, Li, 5.2.1.
    """
    out = np.empty(81, np.uint8)
    kernels.las_vegas(state, cells, MOST_NODES, bitboard.workspace(), out)
    uniform_grids.complete_diagonal(state, uniform_grids.corners(), out)
    redraw(state, Symmetry.NONE, out)
    return out


def las_vegas_plain(state: State, cells: int = LAS_VEGAS_CELLS) -> Digits:
    """`las_vegas` to the letter: what plain depth-first search finds first, whichever way it leans."""
    layout, out = np.zeros(81, np.uint8), np.zeros(81, np.uint8)
    while True:
        drawn = kernels.draw_layout(state, cells, False, layout)
        if drawn and depth_first.search(layout, 1, MOST_SEARCHES, out.reshape(1, 81))[0] == 1:
            return out


def diagonal_boxes(state: State) -> Digits:
    """Three random boxes on the diagonal, then one of the solutions, each as likely as any other.

    Source: Wu, Xiao, Yang, 3.1. There are 140,000 solutions on average; none is counted here, the boxes that
    are left are drawn until they fit.
    """
    out = np.empty(81, np.uint8)
    uniform_grids.draw_diagonal(state, out)
    uniform_grids.complete_diagonal(state, uniform_grids.corners(), out)
    return out


def linked_boxes(state: State) -> Digits:
    """Three random boxes on the diagonal, completed by dancing links with rows in random order.

    The order is random at every level of the search, so that every grid can come; the article's code loses
    that below its first. Source: evasiu's article.
    """
    layout, out = np.empty(81, np.uint8), np.empty(81, np.uint8)
    while True:
        uniform_grids.draw_diagonal(state, layout)
        if dancing_links.search(layout, 1, MOST_NODES, True, state, out.reshape(1, 81))[0] == 1:
            return out


def centre_box(state: State) -> Digits:
    """A random center box, its rows and columns permuted outwards: one of 9! grids.

    Box 4 has the center's rows moved up by one, box 6 by two; boxes 2 and 8 its columns moved likewise; the
    corners have both. Source: evasiu's article, which tells of it to do better.
    """
    centre = np.arange(1, 10)
    shuffle(state, centre)
    out = np.empty(81, np.uint8)
    out[:] = centre[_CENTRE_PLACES]
    return out


# Cell (3a + i, 3b + j) holds what the center box has in row i + b + 2 and column j + a + 2, both modulo 3.
_CENTRE_PLACES: Final = np.array(
    [
        3 * ((row + column // 3 + 2) % 3) + (column + row // 3 + 2) % 3
        for row in range(9)
        for column in range(9)
    ]
)


def uniform(state: State) -> Digits:
    """Any of the 6,670,903,752,021,072,936,960 grids, each as likely as any other.

    How: `kernels.uniform_grids`.
    """
    out = np.empty(81, np.uint8)
    uniform_grids.uniform(state, uniform_grids.corners(), out)
    return out


SOLVED_GRIDS: Final[dict[str, Callable[[State], Digits]]] = {
    "las_vegas": las_vegas,
    "las_vegas_plain": las_vegas_plain,
    "diagonal_boxes": diagonal_boxes,
    "linked_boxes": linked_boxes,
    "centre_box": centre_box,
    "uniform": uniform,
}

# Each maker in a line, for readers of the help.
ABOUT: Final[dict[str, str]] = {
    "las_vegas": f"{LAS_VEGAS_CELLS} random cells get a digit the rules allow; our solver fills the rest",
    "las_vegas_plain": "dig_hole to the letter: the rest is what plain depth-first search finds first",
    "diagonal_boxes": "three random boxes on the diagonal, then any completion with equal chance",
    "linked_boxes": "three random boxes on the diagonal, completed by dancing links in random order",
    "centre_box": "a random center box, shifted outwards; one of 9! grids (the simpler way of exact_cover)",
    "uniform": "any of all 6,670,903,752,021,072,936,960 grids with equal chance",
}
