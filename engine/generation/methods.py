"""The five published systems as generation methods: the source of their grids and the meaning of their
levels.

Holds numbers and their sources; `generate` does the work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..grid import Grid
from ..rating import weighted_rules, weights
from ..rating.lines import DECISION_TREE, GIVENS_AND_SEARCH, Scale
from .dig import Order

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class DigLevel:
    """How a level digs: the order, the range of givens it stops in, and the givens that every line keeps."""

    order: Order
    fewest: int  # digging stops at a number drawn from fewest..most
    most: int
    bound: int  # every row and column keeps more givens than this
    in_box: int = 0  # every box keeps at least this many


# The default without a level: dig at random as long as the solution stays unique.
TO_THE_END: Final = DigLevel(Order.RANDOM, 0, 0, -1)


@dataclass(frozen=True, slots=True)
class Text:
    """A publication in its own language, as printed."""

    language: str  # a BCP 47 tag
    title: str
    authors: str
    year: str  # as printed; empty if it has none
    level_names: tuple[str, ...] = ()  # level 1 first
    rule_names: tuple[str, ...] = ()  # rule 1 first


@dataclass(frozen=True, slots=True)
class Method:
    """One published system."""

    key: str
    source: str
    text: Text
    solver: str  # its own; a key of SEARCHERS
    solved_grid: str | None  # the key in SOLVED_GRIDS that it digs in; None: it adds givens instead
    transformed: bool  # whether it ends with equivalence transformations
    level_names: tuple[str, ...] = ()  # as in the paper, level 1 first; empty if it has none
    paper_levels: tuple[DigLevel, ...] = ()  # if a level determines the digging, level 1 first
    level_ratings: tuple[str, ...] = ()  # the levels by its own rating, level 1 first
    without_level: DigLevel = TO_THE_END
    # A puzzle's level and measure by its own rating, if any; None past a limit.
    rating: Callable[[Grid], tuple[int, float] | None] | None = None
    # What `traces.system` varies, beside `solved_grid` and `transformed`
    cells: int | None = None  # random cells that a Las Vegas grid starts from; None: 11
    order: Order | None = None  # of digging; None: that of the level
    # A puzzle of a level, with uniqueness proved by its own solver; None: by our fastest
    own: Callable[[State, int | None, Callable[[], bool]], Digits | None] | None = None

    @property
    def level_count(self) -> int:
        """The number of levels in the paper."""
        return len(self.level_names)

    def levels_in_words(self) -> list[str]:
        """Describe each level, level 1 first: '4 high: 30..42 givens, at least 2 in a line, ...'."""
        digs = [_in_words(each) for each in self.paper_levels]
        return [
            f"{at + 1} {name}: {', '.join([*digs[at : at + 1], *self.level_ratings[at : at + 1]])}"
            for at, name in enumerate(self.level_names)
        ]

    def dug_level(self, grid: Grid) -> int | None:
        """Return the level that digs as far as a grid's number of givens, from 1; None if none does."""
        levels = enumerate(self.paper_levels, 1)
        return next((at for at, each in levels if each.fewest <= grid.givens <= each.most), None)

    def grade(self, grid: Grid) -> int | None:
        """Return the level of a puzzle by the method's own rating; None past a limit, or without a rating."""
        found = None if self.rating is None else self.rating(grid)
        return None if found is None else found[0]


def _in_words(level: DigLevel) -> str:
    order = level.order.value.replace("_", " ")
    in_line = f", at least {level.bound + 1} in a line" if level.bound >= 0 else ""
    return f"{level.fewest}..{level.most} givens{in_line}, {order} order"


def _intervals(name: str, steps: Sequence[float]) -> tuple[str, ...]:
    """Describe each level's range of a measure: 'D below 2', 'D from 2 to below 3', 'D from 3'."""
    between = (f"{name} from {low:g} to below {high:g}" for low, high in pairwise(steps))
    return f"{name} below {steps[0]:g}", *between, f"{name} from {steps[-1]:g}"


# If a level has scores, it digs: the intervals are the rating's. A line keeps more than its bound, the most
# that the next harder level requires.
_ORDERS: Final = (Order.RANDOM, Order.RANDOM, Order.INTERLACED, Order.SERPENTINE, Order.LEFT_TO_RIGHT)
_DIG_HOLE: Final = tuple(
    DigLevel(order, fewest, most, in_line - 1)
    for order, (fewest, most), (in_line, _) in zip(
        _ORDERS, weights.GIVENS_OF_LEVEL, weights.FEWEST_IN_LINE_OF_LEVEL, strict=True
    )
)

# 1..81 in three parts, as proposed, and 0..8 of a line likewise; a grid without a hole is no puzzle, and
# fewer than 17 givens never have one solution.
_PROPAGATION: Final = (
    DigLevel(Order.RANDOM, 55, 80, 5),
    DigLevel(Order.INTERLACED, 28, 54, 2),
    DigLevel(Order.SERPENTINE, 17, 27, -1),
)

# The article aims at 60 holes, seldom reaches that and has no levels; this is its only one. With more than 21
# givens it is still a puzzle.
_EXACT_COVER: Final = DigLevel(Order.RANDOM, 21, 21, -1)

# "Until few enough cells are left, usually fewer than 30."
_WEIGHTED_RULES: Final = DigLevel(Order.RANDOM, 29, 29, -1)


def _by_figures(scale: Scale, grid: Grid) -> tuple[int, float] | None:
    found = scale.figures(grid)
    return None if found is None else (found.level, found.score)


def _by_rules(grid: Grid) -> tuple[int, float] | None:
    """Return level and D by the fourteen rules; inf for D if they fail."""
    found = weighted_rules.rating_in_form(grid)
    return None if found is None else (found.level, inf if found.difficulty is None else found.difficulty)


# As printed in section 2.1 of the weighted rules.
_RULES: Final = (
    "显式唯一候选数法",
    "隐式唯一候选数法",
    "显式二数集删减法",
    "隐式二数集删减法",
    "显式三数集删减法",
    "隐式三数集删减法",
    "显式四数集删减法",
    "隐式四数集删减法",
    "区块删减法",
    "矩形对角线删减法",
    "三链数删减法",
    "XY 形态匹配法",
    "XYZ 形态匹配法",
    "试探法",
)

METHODS: Final[dict[str, Method]] = {
    method.key: method
    for method in (
        Method(
            "dig_hole",
            "Xue, Jiang, Li: Sudoku puzzles generating, from easy to evil; sections 4 and 5",
            Text(
                "zh",
                "基于“挖洞”思想的数独游戏生成算法",
                "薛源海, 蒋彪彬, 李永卓",
                "",
                level_names=("低级", "初级", "中级", "高级", "骨灰级"),
            ),
            solver="depth_first",
            solved_grid="las_vegas",
            transformed=True,
            level_names=("low", "beginner", "medium", "high", "evil"),
            paper_levels=_DIG_HOLE,
            level_ratings=_intervals("score", range(1, weights.LEVELS)),
            rating=partial(_by_figures, GIVENS_AND_SEARCH),
        ),
        Method(
            "weighted_rules",
            "Wu, Xiao, Yang: weight method with Sudoku difficulty level partition, 2012; section 3",
            Text(
                "zh",
                "数独难度级别划分的权重法研究",
                "吴林波, 肖华勇, 杨宗泽",
                "2012",
                level_names=("容易", "较容易", "适中", "困难", "非常困难"),
                rule_names=_RULES,
            ),
            solver="depth_first",
            solved_grid="diagonal_boxes",
            transformed=False,
            level_names=("easy", "fairly easy", "moderate", "hard", "very hard"),
            level_ratings=_intervals("D", weights.WEIGHTED_RULES_FROM),
            without_level=_WEIGHTED_RULES,
            rating=_by_rules,
        ),
        Method(
            "exact_cover",
            "evasiu: generating Sudoku puzzles, an article with its code",
            Text("zh", "产生数独迷题", "evasiu", ""),
            solver="dancing_links",
            solved_grid="linked_boxes",
            transformed=False,
            without_level=_EXACT_COVER,
        ),
        Method(
            "min_candidates",
            "Chen Lijuan, Jiang Xin, Chen Dejin: Creating Sudoku Puzzles, sections 5.2 and 5.3",
            Text("en", "Creating Sudoku Puzzles", "陈丽娟, 蒋鑫, 陈德进", ""),
            solver="min_candidates",
            solved_grid=None,
            transformed=False,
            level_names=("grade 1", "grade 2", "grade 3", "grade 4"),
            level_ratings=_intervals("score", range(1, weights.GRADES)),
            rating=partial(_by_figures, DECISION_TREE),
        ),
        Method(
            "propagation",
            "Li, Wu: project proposal on making and solving Sudoku, 2.8",
            Text("zh", "数独游戏出题与求解设计", "李鹏程, 吴渊", ""),
            solver="propagation",
            solved_grid="las_vegas",
            transformed=True,
            level_names=("A", "B", "C"),
            paper_levels=_PROPAGATION,
        ),
    )
}

# Our levels: the usual numbers of givens, spread over the board. The paper's own level 1 leaves at most
# twelve cells to fill, and its orders for the harder ones concentrate givens on one side.
LEVELS: Final[dict[int, DigLevel]] = {
    1: DigLevel(Order.RANDOM, 38, 45, 1, in_box=2),
    2: DigLevel(Order.RANDOM, 30, 38, 1, in_box=1),
    3: DigLevel(Order.RANDOM, 26, 32, 0, in_box=1),
    4: DigLevel(Order.RANDOM, 24, 30, 0, in_box=1),
    5: DigLevel(Order.RANDOM, 22, 28, -1),
}
