"""The five published systems as generation methods: where their grids come from and what their levels mean.

Holds numbers and their sources; `generate` does the work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.generation.dig import Order
from engine.grid import Grid
from engine.position import Position
from engine.rating import decision_tree, weighted_rules, weights


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
    solved_grid: str | None  # the key in SOLVED_GRIDS it digs in; None: it digs nothing, it adds givens
    transformed: bool  # whether equivalence transformations end it
    paper_levels: tuple[DigLevel, ...] = ()  # level 1 first
    without_level: DigLevel = TO_THE_END
    grade: Callable[[Grid], int | None] | None = None  # where a level is a rating: which one a puzzle has
    grades: int = 0  # how many of those there are

    @property
    def level_count(self) -> int:
        """How many levels the paper has."""
        return len(self.paper_levels) or self.grades


# Where a level scores, it digs: the intervals are the rating's. A line keeps more than its bound, the most
# that the next harder level asks for.
_ORDERS: Final = (Order.RANDOM, Order.RANDOM, Order.INTERLACED, Order.SERPENTINE, Order.LEFT_TO_RIGHT)
_DIG_HOLE: Final = tuple(
    DigLevel(order, fewest, most, in_line - 1)
    for order, (fewest, most), (in_line, _) in zip(
        _ORDERS, weights.GIVENS_OF_LEVEL, weights.FEWEST_IN_LINE_OF_LEVEL, strict=True
    )
)

# 1..81 in three parts, as the proposal says, and 0..8 of a line likewise; a grid without a hole is no puzzle,
# and fewer than 17 givens never have one solution.
_PROPAGATION: Final = (
    DigLevel(Order.RANDOM, 55, 80, 5),
    DigLevel(Order.INTERLACED, 28, 54, 2),
    DigLevel(Order.SERPENTINE, 17, 27, -1),
)

# The article wants 60 holes, seldom gets them and has no levels; this is its only one. What stays above 21
# givens is a puzzle all the same.
_EXACT_COVER: Final = DigLevel(Order.RANDOM, 21, 21, -1)

# "Until few enough cells are left, usually fewer than 30."
_WEIGHTED_RULES: Final = DigLevel(Order.RANDOM, 29, 29, -1)


def _weighted_level(grid: Grid) -> int | None:
    """The level 1..5 of the fourteen rules; None where a search went past its bound."""
    found = weighted_rules.rating_of(weighted_rules.order().walk(Position.from_grid(grid)))
    return found.level if found else None


METHODS: Final[dict[str, Method]] = {
    method.key: method
    for method in (
        Method(
            "dig_hole",
            "Xue, Jiang, Li: Sudoku puzzles generating, from easy to evil; sections 4 and 5",
            solved_grid="las_vegas",
            transformed=True,
            paper_levels=_DIG_HOLE,
        ),
        Method(
            "weighted_rules",
            "Wu, Xiao, Yang: weight method with Sudoku difficulty level partition; section 3",
            solved_grid="diagonal_boxes",
            transformed=False,
            without_level=_WEIGHTED_RULES,
            grade=_weighted_level,
            grades=len(weights.WEIGHTED_RULES_FROM) + 1,
        ),
        Method(
            "exact_cover",
            "evasiu: generating Sudoku puzzles, an article with its code",
            solved_grid="linked_boxes",
            transformed=False,
            without_level=_EXACT_COVER,
        ),
        Method(
            "min_candidates",
            "Creating Sudoku Puzzles, sections 5.2 and 5.3",
            solved_grid=None,
            transformed=False,
            grade=decision_tree.score,
            grades=weights.GRADES,
        ),
        Method(
            "propagation",
            "Li, Wu: project proposal on making and solving Sudoku, 2.8",
            solved_grid="las_vegas",
            transformed=True,
            paper_levels=_PROPAGATION,
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
