"""Full grids to dig in: one generator for each published system, and a uniform one.

A generator takes a random state, mutates it and returns a new uint8[81].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels import dancing_links, uniform_grids
from ..kernels import solved_grids as kernels
from ..kernels.rng import shuffle

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

LAS_VEGAS_CELLS: Final = 11  # Xue, Jiang, Li, 5.2.1: n = 11 has a solution in 99.7 % of the draws
MOST_CELLS: Final = 25  # with more, there is hardly ever a solution
MOST_SEARCHES: Final = 1_000  # of a Las Vegas grid; a start that needs more, one in four, is redrawn
MOST_NODES: Final = 10_000  # the same for dancing links; hardly any start needs more


def las_vegas(state: State, cells: int = LAS_VEGAS_CELLS) -> Digits:
    """Give eleven random cells, or `cells`, a random digit that the rules allow; depth-first search fills the
    rest.

    A start without a solution is redrawn. The search writes small digits first, so positions are far from
    even until the puzzle is transformed. Source: Xue, Jiang, Li, 5.2.1.
    """
    out = np.zeros((1, 81), np.uint8)
    kernels.las_vegas(state, cells, MOST_SEARCHES, out)
    grid: Digits = out[0]
    return grid


def diagonal_boxes(state: State) -> Digits:
    """Fill three boxes on the diagonal at random, then return one of the solutions, all equally likely.

    Source: Wu, Xiao, Yang, 3.1. There are 140,000 solutions on average; instead of counting them, the other
    boxes are drawn until they fit.
    """
    out = np.empty(81, np.uint8)
    uniform_grids.draw_diagonal(state, out)
    uniform_grids.complete_diagonal(state, uniform_grids.corners(), out)
    return out


def linked_boxes(state: State) -> Digits:
    """Fill three boxes on the diagonal at random, completed by dancing links with rows in random order.

    The order is random at every level of the search, so that every grid is possible; the article's code only
    randomizes the first level. Source: evasiu's article.
    """
    layout, out = np.empty(81, np.uint8), np.empty(81, np.uint8)
    while True:
        uniform_grids.draw_diagonal(state, layout)
        if dancing_links.search(layout, 1, MOST_NODES, True, state, out.reshape(1, 81))[0] == 1:
            return out


def centre_box(state: State) -> Digits:
    """Permute the rows and columns of a random center box outwards: one of 9! grids.

    Box 4 has the center's rows moved up by one, box 6 by two; boxes 2 and 8 its columns moved likewise; the
    corners have both. Source: evasiu's article, which presents it as a simpler method to improve on.
    """
    centre = np.arange(1, 10)
    shuffle(state, centre)
    out = np.empty(81, np.uint8)
    out[:] = centre[_CENTRE_PLACES]
    return out


# Cell (3a + i, 3b + j) equals the center box at row i + b + 2 and column j + a + 2, both modulo 3.
_CENTRE_PLACES: Final = np.array(
    [
        3 * ((row + column // 3 + 2) % 3) + (column + row // 3 + 2) % 3
        for row in range(9)
        for column in range(9)
    ]
)


def uniform(state: State) -> Digits:
    """Return any of the 6,670,903,752,021,072,936,960 grids, all equally likely.

    Algorithm: `kernels.uniform_grids`.
    """
    out = np.empty(81, np.uint8)
    uniform_grids.uniform(state, uniform_grids.corners(), out)
    return out


SOLVED_GRIDS: Final[dict[str, Callable[[State], Digits]]] = {
    "las_vegas": las_vegas,
    "diagonal_boxes": diagonal_boxes,
    "linked_boxes": linked_boxes,
    "centre_box": centre_box,
    "uniform": uniform,
}

# A line about each generator, for the help.
ABOUT: Final[dict[str, str]] = {
    "las_vegas": "random cells get a digit the rules allow; depth-first search fills the rest",
    "diagonal_boxes": "three random boxes on the diagonal, then any completion with equal chance",
    "linked_boxes": "three random boxes on the diagonal, completed by dancing links in random order",
    "centre_box": "a random center box, shifted outwards; one of 9! grids (the simpler way of exact_cover)",
    "uniform": "any of all 6,670,903,752,021,072,936,960 grids with equal chance",
}
