"""Recipe: what a puzzle is asked to be; Puzzle: what came of it. Makes nothing."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import RecipeError
from engine.generation.dig import Order
from engine.generation.methods import LEVELS, METHODS
from engine.generation.symmetry import Symmetry
from engine.grid import Grid
from engine.version import __version__


@dataclass(frozen=True, slots=True)
class Plan:
    """How to dig: where to stop, and what to accept."""

    order: Order
    stop_low: int  # digging stops at a number of givens drawn from stop_low..stop_high
    stop_high: int
    fewest: int  # a puzzle of fewest..most givens is accepted
    most: int
    fewest_in_line: int  # what every row and column keeps


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a puzzle is asked to be. A field that cannot be met raises RecipeError naming it.

    >>> Recipe(level=4, symmetry="half_turn").method
    'dig_hole'
    """

    method: str = "dig_hole"  # a key of METHODS
    level: int | None = None  # ours, 1..5
    paper_level: int | None = None  # the method's own, from 1
    symmetry: str = "none"  # a value of Symmetry
    # The next three leave of a level its order alone, none of its numbers.
    minimal: bool = False  # no given can be spared
    fewest_givens: int | None = None  # 17..81; digging stops there
    most_givens: int | None = None  # 17..81; with fewest_givens, digging stops somewhere between

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise RecipeError("method", f"expected one of {', '.join(METHODS)}, found {self.method!r}")
        _check_range("level", self.level, 1, len(LEVELS))
        _check_range("paper_level", self.paper_level, 1, len(METHODS[self.method].paper_levels))
        if self.level is not None and self.paper_level is not None:
            raise RecipeError("paper_level", "a level of ours is asked for already")
        names = [symmetry.value for symmetry in Symmetry]
        if self.symmetry not in names:
            raise RecipeError("symmetry", f"expected one of {', '.join(names)}, found {self.symmetry!r}")
        _check_range("fewest_givens", self.fewest_givens, 17, 81)
        _check_range("most_givens", self.most_givens, 17, 81)
        if (self.fewest_givens or 0) > (self.most_givens or 81):
            raise RecipeError(
                "fewest_givens", f"{self.fewest_givens} is more than most_givens {self.most_givens}"
            )

    def plan(self) -> Plan:
        """What to dig, from the level asked for and the recipe's own numbers of givens."""
        if self.level is not None:
            level = LEVELS[self.level]
        elif self.paper_level is not None:
            level = METHODS[self.method].paper_levels[self.paper_level - 1]
        else:
            level = METHODS[self.method].without_level
        if not self.minimal and self.fewest_givens is None and self.most_givens is None:
            return Plan(
                level.order, level.fewest, level.most, level.fewest, level.most or 81, level.bound + 1
            )
        fewest, most = self.fewest_givens or 0, self.most_givens or 81
        stop = 0 if self.minimal else fewest
        both = not self.minimal and self.fewest_givens is not None and self.most_givens is not None
        return Plan(level.order, stop, most if both else stop, fewest, most, 0)


def _check_range(field: str, value: int | None, low: int, high: int) -> None:
    if value is not None and not low <= value <= high:
        raise RecipeError(field, f"expected {low}..{high}, found {value}")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle with one solution, and how to make it again."""

    grid: Grid
    solution: Grid
    recipe: Recipe
    seed: int
    engine_version: str = __version__  # another one may make another puzzle of the same recipe and seed
