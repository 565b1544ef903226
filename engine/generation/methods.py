"""The five published systems as generation methods: where their grids come from and what their levels mean.

Holds numbers and their sources; `generate` does the work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from typing import Final

from engine.generation.dig import Order
from engine.grid import Grid
from engine.position import Position
from engine.rating import decision_tree, givens_and_search, weighted_rules, weights


@dataclass(frozen=True, slots=True)
class DigLevel:
    """How a level digs: the order, the interval of givens it stops in, and what every line keeps."""

    order: Order
    fewest: int  # digging stops at a number of givens drawn from fewest..most
    most: int
    bound: int  # every row and column keeps more givens than this
    in_box: int = 0  # every box keeps so many at least


# What a method does when no level is asked for: dig at random as far as one solution allows.
TO_THE_END: Final = DigLevel(Order.RANDOM, 0, 0, -1)


@dataclass(frozen=True, slots=True)
class Variant:
    """Another edition of a system: levels of its own, and where their numbers come from."""

    source: str
    paper_levels: tuple[DigLevel, ...]  # level 1 first


@dataclass(frozen=True, slots=True)
class Band:
    """A level that random digging hardly ever meets, as a range of the method's own measure to aim at."""

    measure: Callable[[Position], float]  # rises along a chain of holes; inf beyond what is solved for it
    low: float
    high: float
    promising: float  # from this measure on a near miss is worth many more changes


@dataclass(frozen=True, slots=True)
class Method:
    """One published system."""

    key: str
    source: str
    solver: str  # its own, a key of SEARCHERS
    solved_grid: str | None  # the key in SOLVED_GRIDS it digs in; None: it digs nothing, it adds givens
    transformed: bool  # whether equivalence transformations end it
    level_names: tuple[str, ...] = ()  # in the paper's words, level 1 first; empty where it has none
    paper_levels: tuple[DigLevel, ...] = ()  # where a level says how to dig, level 1 first
    level_ratings: tuple[str, ...] = ()  # what its own rating says at a level, level 1 first
    without_level: DigLevel = TO_THE_END
    # By its own rating, where it has one, the level of a puzzle and the measure behind it; None past a bound.
    rating: Callable[[Grid], tuple[int, float] | None] | None = None
    bands: Mapping[int, Band] = field(default_factory=dict)  # by level
    variants: Mapping[str, Variant] = field(default_factory=dict)

    @property
    def level_count(self) -> int:
        """How many levels the paper has."""
        return len(self.level_names)

    def levels_of(self, variant: str | None) -> tuple[DigLevel, ...]:
        """How the levels dig, in a variant or as the text has it."""
        return self.paper_levels if variant is None else self.variants[variant].paper_levels

    def levels_in_words(self, variant: str | None = None) -> list[str]:
        """What each level asks for, level 1 first: '4 high: 30..42 givens, at least 2 in a line, ...'."""
        digs = [_in_words(each) for each in self.levels_of(variant)]
        ratings = self.level_ratings if self.checks(variant) else ()
        told = []
        for at, name in enumerate(self.level_names):
            words = [*digs[at : at + 1], *ratings[at : at + 1]]
            words += ["aimed at"] if at + 1 in self.bands else []
            told.append(f"{at + 1} {name}: {', '.join(words)}")
        return told

    def grade(self, grid: Grid) -> int | None:
        """The level of a puzzle by the method's own rating; None past a bound, or where it has no rating."""
        found = None if self.rating is None else self.rating(grid)
        return None if found is None else found[0]

    def checks(self, variant: str | None) -> bool:
        """Whether that rating says if a level is met; the variants have none of their own."""
        return self.rating is not None and variant is None


def _in_words(level: DigLevel) -> str:
    order = level.order.value.replace("_", " ")
    in_line = f", at least {level.bound + 1} in a line" if level.bound >= 0 else ""
    return f"{level.fewest}..{level.most} givens{in_line}, {order} order"


def _intervals(name: str, steps: Sequence[float]) -> tuple[str, ...]:
    """A range of a measure in words for every level: 'D below 2', 'D from 2 to below 3', 'D from 3'."""
    between = (f"{name} from {low:g} to below {high:g}" for low, high in pairwise(steps))
    return f"{name} below {steps[0]:g}", *between, f"{name} from {steps[-1]:g}"


# Where a level scores, it digs: the intervals are the rating's. A line keeps more than its bound, the most
# that the next harder level asks for.
_ORDERS: Final = (Order.RANDOM, Order.RANDOM, Order.INTERLACED, Order.SERPENTINE, Order.LEFT_TO_RIGHT)
_DIG_HOLE: Final = tuple(
    DigLevel(order, fewest, most, in_line - 1)
    for order, (fewest, most), (in_line, _) in zip(
        _ORDERS, weights.GIVENS_OF_LEVEL, weights.FEWEST_IN_LINE_OF_LEVEL, strict=True
    )
)

# The English edition is not among our sources. Programs written after it, which name it, agree on these
# givens and on what every row and column keeps; where the first level ends is open, here at the text's 80.
_ENGLISH: Final = tuple(
    DigLevel(order, fewest, most, in_line - 1)
    for order, (fewest, most), in_line in zip(
        _ORDERS, ((50, 80), (36, 49), (32, 35), (28, 31), (22, 27)), (5, 4, 3, 2, 0), strict=True
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


def _by_search(grid: Grid) -> tuple[int, float] | None:
    found = givens_and_search.figures(grid)
    return None if found is None else (found.level, found.score)


def _by_rules(grid: Grid) -> tuple[int, float] | None:
    """Level and D of the fourteen rules; inf for D where they fail."""
    found = weighted_rules.rating_of(weighted_rules.order().walk(Position.from_grid(grid)))
    return None if found is None else (found.level, inf if found.difficulty is None else found.difficulty)


def _by_tree(grid: Grid) -> tuple[int, float] | None:
    found = decision_tree.figures(grid)
    return None if found is None else (found.level, found.score)


_LOW, _HIGH = weights.WEIGHTED_RULES_FROM[1:3]
_MARGIN = 0.1  # the text leaves open which pattern of a rule comes first: D may move by so much with it

METHODS: Final[dict[str, Method]] = {
    method.key: method
    for method in (
        Method(
            "dig_hole",
            "Xue, Jiang, Li: Sudoku puzzles generating, from easy to evil; sections 4 and 5",
            solver="depth_first",
            solved_grid="las_vegas",
            transformed=True,
            level_names=("low", "beginner", "medium", "high", "evil"),
            paper_levels=_DIG_HOLE,
            level_ratings=_intervals("score", range(1, weights.LEVELS)),
            rating=_by_search,
            variants={
                "english": Variant(
                    "the English edition of Xue, Jiang, Li, as programs that cite it have its numbers",
                    _ENGLISH,
                )
            },
        ),
        Method(
            "weighted_rules",
            "Wu, Xiao, Yang: weight method with Sudoku difficulty level partition, 2012; section 3",
            solver="depth_first",
            solved_grid="diagonal_boxes",
            transformed=False,
            level_names=("easy", "fairly easy", "moderate", "hard", "very hard"),
            level_ratings=_intervals("D", weights.WEIGHTED_RULES_FROM),
            without_level=_WEIGHTED_RULES,
            rating=_by_rules,
            # One puzzle in some 80,000 dug at random has such a D. Most of those below it need no fish at all
            # and get none by a few changes; D of 2.9 shows one.
            bands={
                3: Band(weighted_rules.up_to_fish, _LOW + _MARGIN, _HIGH - _MARGIN, promising=2.9),
            },
        ),
        Method(
            "exact_cover",
            "evasiu: generating Sudoku puzzles, an article with its code",
            solver="dancing_links",
            solved_grid="linked_boxes",
            transformed=False,
            without_level=_EXACT_COVER,
        ),
        Method(
            "min_candidates",
            "Chen Lijuan, Jiang Xin, Chen Dejin: Creating Sudoku Puzzles, sections 5.2 and 5.3",
            solver="min_candidates",
            solved_grid=None,
            transformed=False,
            level_names=("grade 1", "grade 2", "grade 3", "grade 4"),
            level_ratings=_intervals("score", range(1, weights.GRADES)),
            rating=_by_tree,
        ),
        Method(
            "propagation",
            "Li, Wu: project proposal on making and solving Sudoku, 2.8",
            solver="propagation",
            solved_grid="las_vegas",
            transformed=True,
            level_names=("A", "B", "C"),
            paper_levels=_PROPAGATION,
        ),
    )
}

# How a level of ours looks: givens in the numbers that people play, over all of the board. The paper's own
# level 1 leaves twelve cells or fewer to fill, and its orders for the harder ones heap them up at one side.
LEVELS: Final[dict[int, DigLevel]] = {
    1: DigLevel(Order.RANDOM, 38, 45, 1, in_box=2),
    2: DigLevel(Order.RANDOM, 30, 38, 1, in_box=1),
    3: DigLevel(Order.RANDOM, 26, 32, 0, in_box=1),
    4: DigLevel(Order.RANDOM, 24, 30, 0, in_box=1),
    5: DigLevel(Order.RANDOM, 22, 28, -1),
}
