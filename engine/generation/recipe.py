"""Recipe, the specification of a puzzle, and Puzzle, its result. Generates nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..arguments import bounded, flag, listed, meant, shown
from ..errors import ArgumentError, RecipeError
from ..geometry import HOUSES, cell_name
from ..grid import Grid
from ..kernels.rng import below
from ..rating.explainer import er_of_level
from ..techniques import TECHNIQUES
from ..techniques.entry import N_
from ..uniqueness import is_minimal
from ..version import __version__
from .dig import Order
from .methods import LEVELS, METHODS, DigLevel, Method
from .symmetry import ANY, OFFERED, Symmetry

FEWEST = 17  # smallest number of givens with one solution: McGuire, Tugemann, Civario 2012
MOST_EFFORT: Final = 1000
FEW: Final = 21  # givens: digging hardly ever reaches so few
# The method of puzzles that no published system would have generated: givens in a pattern or with a symmetry,
# givens put back to reach a rating, own numbers beside a level of ours.
TO_ORDER: Final = "to_order"


@dataclass(frozen=True, slots=True)
class Plan:
    """How to dig: where to stop, and what to accept."""

    order: Order
    stop_low: int  # digging stops at a number drawn from stop_low..stop_high
    stop_high: int
    fewest: int  # accepts fewest..most givens
    most: int
    fewest_in_line: int  # lower limit of every row and column
    fewest_in_box: int  # lower limit of every box

    def drawn_stop(self, state: NDArray[np.uint64]) -> int:
        """Draw the number of givens where digging stops."""
        return self.stop_low + below(state, self.stop_high - self.stop_low + 1)

    def allows(self, grid: Grid) -> bool:
        """Whether a grid's number of givens is acceptable, in all and in every house."""
        if not self.fewest <= grid.givens <= self.most:
            return False
        if not (self.fewest_in_line or self.fewest_in_box):  # counting takes as long as digging
            return True
        filled = [digit > 0 for digit in grid.digits]
        in_house = [sum(filled[cell] for cell in house) for house in HOUSES]
        return min(in_house[:18]) >= self.fewest_in_line and min(in_house[18:]) >= self.fewest_in_box


@dataclass(frozen=True, slots=True)
class Recipe:
    """The specification of a puzzle. A field that can't be met raises RecipeError naming it.

    >>> Recipe(level=4, symmetry="half_turn").method
    'dig_hole'
    """

    method: str = "dig_hole"  # a key of METHODS
    level: int | None = None  # ours, 1..5, by the rating, with a matching number of givens
    paper_level: int | None = None  # the method's own, from 1
    symmetry: str = "none"  # a value of Symmetry, or ANY: a random one of those offered to players
    # With a level of ours, the next four replace its numbers of givens, and the puzzle is TO_ORDER. With a
    # paper level that has a range of givens, they must agree with it.
    minimal: bool = False  # no given is redundant
    fewest_givens: int | None = None  # 17..81; digging stops there, or within the range of a paper level
    most_givens: int | None = None  # 17..81; with fewest_givens, digging stops somewhere between
    pattern: Sequence[int] | None = None  # exactly the cells 0..80 with givens
    # Requirements on its rating; `to_order` aims at the ranges, which include both ends.
    er: tuple[float, float] | None = None  # SE rating with its default set
    minutes: tuple[float, float] | None = None  # expected for an average player
    hardest: str | None = None  # the hardest technique, as named by `rate`
    must: Sequence[str] = ()  # techniques that the solution path uses
    must_not: Sequence[str] = ()  # and doesn't use
    effort: int = 1  # 1..1000; multiplies the tries before it counts as impossible

    def __post_init__(self) -> None:
        self._check_kinds()
        check_name("method", self.method, METHODS)
        method = METHODS[self.method]
        check_range("level", self.level, 1, len(LEVELS))
        if self.paper_level is not None:
            if self.level is not None:
                found = N_("expected none, since level %(level)s of ours is set, found %(found)s")
                raise RecipeError("paper_level", found, level=self.level, found=self.paper_level)
            check_use("paper_level", self.paper_level, method, method.level_count > 0)
            check_range("paper_level", self.paper_level, 1, method.level_count)
        check_name("symmetry", self.symmetry, [*(symmetry.value for symmetry in Symmetry), ANY])
        check_range("effort", self.effort, 1, MOST_EFFORT)
        check_range("fewest_givens", self.fewest_givens, FEWEST, 81)
        check_range("most_givens", self.most_givens, FEWEST, 81)
        if (self.fewest_givens or 0) > (self.most_givens or 81):
            raise RecipeError(
                "fewest_givens",
                "expected at most most_givens %(most_givens)s, found %(found)s",
                most_givens=self.most_givens,
                found=self.fewest_givens,
            )
        if self.pattern is not None:
            for cell in self.pattern:
                _check_whole("pattern", cell, 0, 80)
            pattern = tuple(sorted(self.pattern))
            object.__setattr__(self, "pattern", pattern)
            self._check_pattern(pattern)
        self._check_digging(method)
        self._check_rating()

    def _check_kinds(self) -> None:
        """Reject fields of wrong types, and turn lists into tuples, which are hashable."""
        try:
            flag("minimal", self.minimal)
        except ArgumentError as error:
            raise RecipeError("minimal", error.reason) from None
        for name, most in (("er", 2), ("minutes", 2), ("pattern", 81), ("must", 999), ("must_not", 999)):
            value = getattr(self, name)
            if value is None and name not in ("must", "must_not"):
                continue
            try:
                object.__setattr__(self, name, tuple(bounded(name, value, most)))
            except ArgumentError as error:
                raise RecipeError(name, error.reason) from None
        for name in ("er", "minutes"):
            value = getattr(self, name)
            if value is not None and (len(value) != 2 or not all(map(_is_number, value))):
                raise RecipeError(
                    name, "expected two numbers, low and high, found %(found)s", found=shown(value)
                )

    def _check_digging(self, method: Method) -> None:
        """Reject contradictions with the paper level's range of givens and limit of lines."""
        level = self._paper_dig(method)
        if level is None:
            return
        name = f"paper_level {self.paper_level} of {self.method}"
        low, high, in_line = level.fewest, level.most, level.bound + 1
        if self.minimal and in_line:
            reason = N_(
                "expected False, since %(name)s keeps %(low)s..%(high)s givens "
                "and %(in_line)s in every line, found True"
            )
            raise RecipeError("minimal", reason, name=name, low=low, high=high, in_line=in_line)
        count = None if self.pattern is None else len(self.pattern)
        givens = N_("expected %(low)s..%(high)s givens for %(name)s, found %(found)s")
        cells = N_("expected %(low)s..%(high)s cells for %(name)s, found %(found)s")
        for field, value, pattern in (
            ("fewest_givens", self.fewest_givens, givens),
            ("most_givens", self.most_givens, givens),
            ("pattern", count, cells),
        ):
            if value is not None and not low <= value <= high:
                raise RecipeError(field, pattern, low=low, high=high, name=name, found=value)

    def _paper_dig(self, method: Method) -> DigLevel | None:
        """Return how the paper level digs; None without a level, or if levels only concern the rating."""
        if self.paper_level is None or not method.paper_levels:
            return None
        return method.paper_levels[self.paper_level - 1]

    @classmethod
    def of(cls, wanted: Mapping[str, Any]) -> Recipe:
        """Return the recipe of fields by name, as in `asked` and JSON. RecipeError names unknown fields."""
        if not isinstance(wanted, Mapping):
            raise RecipeError("wanted", "expected fields by name, found %(found)s", found=shown(wanted))
        names = [each.name for each in fields(cls)]
        for name in wanted:
            if name not in names:
                raise RecipeError(
                    name if isinstance(name, str) else shown(name),
                    "expected one of the fields %(names)s, found %(found)s",
                    names=", ".join(names),
                    found=shown(name),
                )
        return cls(**wanted)

    @property
    def asked(self) -> dict[str, Any]:
        """Return the fields that differ from their default, as JSON values; the inverse of `of`."""
        own = {each.name: (getattr(self, each.name), each.default) for each in fields(self)}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, (value, default) in own.items()
            if value != default
        }

    @property
    def few(self) -> bool:
        """Whether it asks for so few givens that two must be replaced by one repeatedly."""
        free = self.symmetry == Symmetry.NONE.value and self.paper_level is None
        return free and self.pattern is None and (self.most_givens or 81) <= FEW

    @property
    def free(self) -> bool:
        """Whether its givens may be any and anywhere."""
        numbers = self.fewest_givens is not None or self.most_givens is not None or self.level is not None
        tied = self.symmetry != Symmetry.NONE.value or self.pattern is not None
        return not numbers and not tied and self.paper_level is None

    @property
    def symmetries(self) -> Sequence[Symmetry]:
        """The symmetries to choose from, limited to those of its pattern."""
        allowed = OFFERED if self.symmetry == ANY else (Symmetry(self.symmetry),)
        return [each for each in allowed if self.pattern is None or each.holds(self.pattern)]

    def _check_rating(self) -> None:
        for name, least, most in (("er", 1.0, 12.0), ("minutes", 0.0, 1440.0)):
            wanted = getattr(self, name)
            if wanted is not None and not least <= wanted[0] <= wanted[1] <= most:
                raise RecipeError(
                    name,
                    "expected %(least)s <= low <= high <= %(most)s, found %(found)s",
                    least=f"{least:g}",
                    most=f"{most:g}",
                    found=wanted,
                )
        for name in ("must", "must_not"):
            for key in getattr(self, name):
                check_name(name, key, TECHNIQUES)
            object.__setattr__(self, name, tuple(sorted(set(getattr(self, name)))))
        if self.hardest is not None:
            check_name("hardest", self.hardest, TECHNIQUES)
        for key in self.must_not:
            if key in self.must or key == self.hardest:
                raise RecipeError(
                    "must_not", "expected none of the techniques required, found %(found)s", found=f"{key!r}"
                )
        level = self.level  # has no puzzle with some techniques and ER
        if self.hardest is not None:
            tiers = TECHNIQUES[self.hardest].tiers
            if level is not None and level not in tiers and not TECHNIQUES[self.hardest].on_request:
                raise RecipeError(
                    "hardest",
                    "expected a technique of level %(level)s, found %(found)s",
                    level=level,
                    found=f"{self.hardest!r}",
                )
            level = level or tiers[-1]
        keys = list(TECHNIQUES)
        for key in self.must:
            too_hard = level is not None and TECHNIQUES[key].tiers[0] > level
            if too_hard or (self.hardest is not None and keys.index(key) > keys.index(self.hardest)):
                pattern = (
                    N_("expected none harder than %(technique)s, found %(found)s")
                    if self.level is None
                    else N_("expected none harder than level %(level)s, found %(found)s")
                )
                raise RecipeError("must", pattern, level=level, technique=self.hardest, found=f"{key!r}")
        if level is not None and self.er is not None:
            low, high = er_of_level(level)
            if self.er[1] < low or self.er[0] > high:
                reason = N_("expected a range that overlaps %(low)s to %(high)s, found %(found)s")
                found = f"{self.er[0]:g} to {self.er[1]:g}"
                raise RecipeError("er", reason, low=f"{low:g}", high=f"{high:g}", found=found)

    def _check_pattern(self, pattern: tuple[int, ...]) -> None:
        cells = set(pattern)
        if len(cells) < len(pattern):
            twice = next(cell for cell, next_ in pairwise(pattern) if cell == next_)
            raise RecipeError(
                "pattern", "expected each cell once, found %(found)s twice", found=cell_name(twice)
            )
        check_range("pattern", len(pattern), max(FEWEST, self.fewest_givens or 0), self.most_givens or 81)
        for band in range(3):
            rows = {cell // 9 for cell in cells if cell // 27 == band}
            columns = {cell % 9 for cell in cells if cell % 9 // 3 == band}
            if len(rows) < 2 or len(columns) < 2:
                reason = N_(
                    "expected givens in two rows of each band and two columns of each stack, "
                    "found two empty lines in %(first)s..%(last)s, which could be swapped"
                )
                raise RecipeError("pattern", reason, first=3 * band + 1, last=3 * band + 3)
        if not self.symmetries:
            raise RecipeError(
                "pattern",
                "expected %(symmetry)s symmetry, found cells without their image",
                symmetry=self.symmetry,
            )

    @property
    def keeps_level(self) -> bool:
        """Whether the limits of a level of ours hold, which own numbers of givens replace."""
        return self.level is None or not self._own_numbers

    @property
    def _own_numbers(self) -> bool:
        return self.minimal or self.fewest_givens is not None or self.most_givens is not None

    def plan(self) -> Plan:
        """Return how to dig, from the requested level or the recipe's own numbers of givens."""
        method = METHODS[self.method]
        paper = self._paper_dig(method)
        if paper is not None:
            low = max(paper.fewest, self.fewest_givens or 0)
            high = min(paper.most, self.most_givens or 81)
            stop = (0, 0) if self.minimal else (low, high)
            return Plan(paper.order, *stop, low, high, paper.bound + 1, paper.in_box)
        level = method.without_level if self.level is None else LEVELS[self.level]
        if not self._own_numbers:
            most = 81 if self.level is None else level.most
            bounds = level.fewest, level.most, level.fewest, most
            return Plan(level.order, *bounds, level.bound + 1, level.in_box)
        fewest, most = self.fewest_givens or 0, self.most_givens or 81
        stop_low = 0 if self.minimal else fewest
        both = not self.minimal and self.fewest_givens is not None and self.most_givens is not None
        return Plan(level.order, stop_low, most if both else stop_low, fewest, most, 0, 0)


def suits(grid: Grid, level: int) -> bool:
    """Whether a grid has the number of givens, the filled houses and a symmetry of our level."""
    cells = {cell for cell in range(81) if grid[cell]}
    return Recipe(level=level).plan().allows(grid) and any(each.holds(cells) for each in OFFERED)


def check_name(field: str, name: str, names: Collection[str]) -> None:
    if not isinstance(name, str) or name not in names:
        raise RecipeError(
            field, "expected one of %(names)s, found %(found)s", names=listed(names), found=meant(name, names)
        )


def check_use(field: str, value: object, method: Method, used: bool) -> None:
    """Reject a field that the method doesn't use."""
    if value is not None and not used:
        reason = N_("expected none, since %(method)s has no use for it, found %(found)s")
        raise RecipeError(field, reason, method=method.key, found=shown(value))


def check_range(field: str, value: int | None, low: int, high: int) -> None:
    if value is not None:
        _check_whole(field, value, low, high)


def _check_whole(field: str, value: int, low: int, high: int) -> None:
    if type(value) is not int or not low <= value <= high:
        raise RecipeError(
            field, "expected %(low)s..%(high)s, found %(found)s", low=low, high=high, found=shown(value)
        )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle with one solution, and how to generate it again.

    >>> from engine import Recipe, generate
    >>> puzzle = generate(Recipe(level=1), seed=1)
    >>> puzzle.seed, puzzle.grid == generate(Recipe(level=1), seed=1).grid
    (1, True)
    """

    grid: Grid
    solution: Grid
    recipe: Recipe
    seed: int
    method: str  # the recipe's, or TO_ORDER if that system wouldn't have generated it
    # Another version may generate another puzzle from the same recipe and seed
    engine_version: str = __version__

    @property
    def minimal(self) -> bool:
        """Whether no given is redundant; computed at every call, in some 30 microseconds."""
        return is_minimal(self.grid)

    def _repr_svg_(self) -> str:
        """Return the picture of its grid for notebooks."""
        return self.grid._repr_svg_()
