"""The five published systems as generation methods: where their grids come from and what their levels mean.

Holds numbers and their sources; `generate` does the work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.generation import solved_grids
from engine.generation.dig import Order
from engine.rating import weights

SolvedGridMaker = Callable[[NDArray[np.uint64]], NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class DigLevel:
    """How a level digs: the order, the interval of givens it stops in, and what every line keeps."""

    order: Order
    fewest: int  # digging stops at a number of givens drawn from fewest..most
    most: int
    bound: int  # every row and column keeps more givens than this


# What a method does when no level is asked for: dig at random as far as one solution allows.
TO_THE_END: Final = DigLevel(Order.RANDOM, 0, 0, -1)


@dataclass(frozen=True, slots=True)
class Method:
    """One published system."""

    key: str
    source: str
    solved_grid: SolvedGridMaker
    paper_levels: tuple[DigLevel, ...]  # level 1 first
    without_level: DigLevel = TO_THE_END


# Where a level scores, it digs: the intervals are the rating's. A line keeps more than its bound, the most
# that the next harder level asks for.
_ORDERS: Final = (Order.RANDOM, Order.RANDOM, Order.INTERLACED, Order.SERPENTINE, Order.LEFT_TO_RIGHT)
_DIG_HOLE: Final = tuple(
    DigLevel(order, fewest, most, in_line - 1)
    for order, (fewest, most), (in_line, _) in zip(
        _ORDERS, weights.GIVENS_OF_LEVEL, weights.FEWEST_IN_LINE_OF_LEVEL, strict=True
    )
)

METHODS: Final[dict[str, Method]] = {
    method.key: method
    for method in (
        Method(
            "dig_hole",
            "Xue, Jiang, Li: generating Sudoku from easy to evil, sections 4 and 5",
            solved_grids.las_vegas,
            _DIG_HOLE,
        ),
    )
}

# What a level of ours digs until puzzles are rated: the orders of the paper's levels, but numbers of givens
# that people play. Its own level 1 leaves twelve cells or fewer to fill, which is no game.
LEVELS: Final[dict[int, DigLevel]] = {
    1: DigLevel(Order.RANDOM, 42, 48, 3),
    2: DigLevel(Order.RANDOM, 35, 41, 2),
    3: DigLevel(Order.INTERLACED, 31, 34, 1),
    4: DigLevel(Order.SERPENTINE, 27, 30, 1),
    5: DigLevel(Order.LEFT_TO_RIGHT, 17, 26, -1),
}
