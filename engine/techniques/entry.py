"""Technique, the one entry of a technique, and the roles of cells and houses in a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import Flag, IntEnum, StrEnum, auto
from typing import Final

from ..kernels.state import State
from ..kernels.steps import Steps
from .keys import NUMBER
from .limits import Limits, limits_of

ScanFunction = Callable[[State, Limits, int, Steps], None]


class Role(IntEnum):
    """A cell's role in a pattern; almost locked sets are numbered from ALS on."""

    PATTERN = 0  # the cells that make the pattern
    FIN = 1
    ENDO_FIN = 2
    PIVOT = 3  # hinge of a wing, stem of a blossom
    PINCER = 4  # an end of a wing or chain
    COLOUR_A = 5
    COLOUR_B = 6
    CORNER = 7  # a cell of a deadly pattern
    COLOUR_C = 8  # the second net of multi-coloring
    COLOUR_D = 9
    ALS = 16  # ALS + n: cells of the n-th almost locked set


class HouseRole(IntEnum):
    """A house's role in a pattern."""

    BASE = 0  # each of the digits has a place here: a premise of the proof
    COVER = 1  # contains the eliminations; proves nothing by itself
    SHOWN = 2  # worth showing


# The roles as plain ints, for kernels.
PATTERN: Final = int(Role.PATTERN)
FIN: Final = int(Role.FIN)
ENDO_FIN: Final = int(Role.ENDO_FIN)
PIVOT: Final = int(Role.PIVOT)
PINCER: Final = int(Role.PINCER)
COLOUR_A: Final = int(Role.COLOUR_A)
COLOUR_B: Final = int(Role.COLOUR_B)
COLOUR_C: Final = int(Role.COLOUR_C)
COLOUR_D: Final = int(Role.COLOUR_D)
CORNER: Final = int(Role.CORNER)
ALS: Final = int(Role.ALS)
BASE: Final = int(HouseRole.BASE)
COVER: Final = int(HouseRole.COVER)
SHOWN: Final = int(HouseRole.SHOWN)


class Family(StrEnum):
    """The kind of pattern a technique looks for."""

    SINGLES = "singles"
    DIRECT = "direct"  # locked candidates and hidden sets that directly imply a placement
    LOCKED_CANDIDATES = "locked_candidates"
    SUBSETS = "subsets"
    FISH = "fish"
    SINGLE_DIGIT = "single_digit"  # strong links of one digit
    COLORING = "coloring"
    WINGS = "wings"
    UNIQUENESS = "uniqueness"
    CHAINS = "chains"  # chains and loops
    ALMOST_LOCKED_SETS = "almost_locked_sets"
    EXCLUSION = "exclusion"
    FORCING = "forcing"  # forcing chains of several branches, and nets
    LAST_RESORT = "last_resort"  # methods without a pattern


class Scope(IntEnum):
    """Where a step is found. It depends on the candidates there alone, so it arises only when they change."""

    POSITION = 0
    DIGIT = 1  # the places of one digit
    HOUSE = 2  # the cells of one house; effects elsewhere only decrease


class Trait(Flag):
    """The meaning of facts in a technique's steps beyond their roles, for code that words or draws them."""

    MIDDLE = auto()  # the cells of Role.PATTERN only join the pincers
    STRONG_LINKS = auto()  # a base house is a strong link between the two places of its digit
    COVERS_JOIN = auto()  # a cover house shows how the other facts meet, not where a fish takes its digit
    PINCERS_APART = auto()  # the pincers aren't part of the pattern
    SOLVED_CORNERS = auto()  # some corners have a digit that was found, not given
    THREE_DIGITS = auto()  # the corners would be left with three digits, not with two
    OF_A_SUBSET = auto()  # the step's digits are those of a subset besides the corners
    OF_THE_BOARD = auto()  # depends on the order of rows and columns
    REFUTES = auto()  # the digits of the pattern's cell are refuted, except the placed one


NO_TRAITS: Final = Trait(0)

HARDEST_TIER: Final = 5

# Needs no limit: the search is finite in cells, houses, digits and limits, and takes at most seconds on any
# position.
SHORT: Final = 0


def N_(text: str) -> str:
    """Mark `text` for translation where it is shown. gettext's extractors know this name."""
    return text


@dataclass(frozen=True, slots=True, eq=False)
class Technique:
    """Everything about a technique, in one entry of TECHNIQUES.

    The fields of `limits`, `together` and `paths` are those of limits.FIELDS; missing ones are 0.
    """

    key: str  # one of keys.KEYS
    name: str  # in English, marked by N_
    _: KW_ONLY
    scan: ScanFunction
    family: Family
    # How hard it is for a person, 1 to HARDEST_TIER: 1 full house, hidden single in a box; 2 hidden single in
    # a line, naked single; 3 locked candidates and subsets; 4 fish, wings, simple coloring, the common
    # single-digit and uniqueness patterns; 5 everything else. A puzzle's level is the lowest that solves it.
    tier: int
    tier_in_box: int | None = None  # of steps in a box (variant 0 of hidden_single), one tier below
    bound: int  # the limit of a search's cost, in the scan's own unit, before it raises FULL; or SHORT
    needs_unique: bool = False  # the proof assumes that the puzzle has one solution
    rare: bool = False  # no solution path of 1,500 generated puzzles, 300 of each level, has a step of it
    scope: Scope = Scope.POSITION  # otherwise the scan skips the parts in limits[BARREN]
    template_name: str = ""  # the stem of its template in templates/game/steps/, if that isn't the key
    traits: Trait = NO_TRAITS
    limits: Mapping[str, int] = field(default_factory=dict)  # how far `find` looks
    # Limits of paths that search less far than `find`, by the path's name: "logic" for hints, solution paths
    # and counts; the others belong to the rating schemes of that name.
    paths: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    # Left out of "logic": a long search that hardly ever gives a position's first step. The references switch
    # it off too.
    on_request: bool = False
    # If one search finds this technique together with another, for a third of the cost of two: the key it is
    # searched under on a path, and on that entry the limits that widen the search.
    found_by: str = ""
    together: Mapping[str, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Technique {self.key}: {self.name}, tier {self.tier}>"

    def tier_of(self, variant: int) -> int:
        """Return the tier of one of its steps."""
        return self.tier if self.tier_in_box is None or variant else self.tier_in_box

    @property
    def tiers(self) -> tuple[int, ...]:
        """The tiers of its steps, ascending."""
        return tuple(sorted({self.tier_of(0), self.tier}))

    @property
    def template(self) -> str:
        """The stem of its steps' template."""
        return self.template_name or self.key

    def on_path(self, path: str) -> dict[str, int]:
        """Return the limits of a path that differ from those of `find`, widened by `together`."""
        return {**self.paths.get(path, {}), **self.together}

    def limits_for(self, *changes: Mapping[str, int]) -> Limits:
        """Return int32[LIMITS_SIZE] for the scan: its limit, the limits of `find`, then every given
        change.
        """
        return limits_of(NUMBER[self.key], {"bound": self.bound}, self.limits, *changes)
