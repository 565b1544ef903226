"""Technique, the one entry of a technique, and the roles that cells and houses play in a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import Flag, IntEnum, StrEnum, auto
from typing import Final

from engine.kernels.state import State
from engine.kernels.steps import Steps
from engine.techniques.keys import NUMBER
from engine.techniques.limits import Limits, limits_of

ScanFunction = Callable[[State, Limits, int, Steps], None]


class Role(IntEnum):
    """What a cell is in a pattern; almost locked sets are numbered from ALS on."""

    PATTERN = 0  # the cells that make the pattern
    FIN = 1
    ENDO_FIN = 2
    PIVOT = 3  # hinge of a wing, stem of a blossom
    PINCER = 4  # an end of a wing or chain
    COLOUR_A = 5
    COLOUR_B = 6
    CORNER = 7  # a cell of a deadly pattern
    COLOUR_C = 8  # the second net of multi-colouring
    COLOUR_D = 9
    STAYS = 10  # holds one of two digits that could be exchanged everywhere else
    ALS = 16  # ALS + n: cells of the n-th almost locked set


class HouseRole(IntEnum):
    """What a house is in a pattern."""

    BASE = 0  # each of the digits has a place here: a premise of the proof
    COVER = 1  # where the eliminations lie; proves nothing by itself
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
STAYS: Final = int(Role.STAYS)
ALS: Final = int(Role.ALS)
BASE: Final = int(HouseRole.BASE)
COVER: Final = int(HouseRole.COVER)
SHOWN: Final = int(HouseRole.SHOWN)


class Family(StrEnum):
    """What kind of pattern a technique looks for."""

    SINGLES = "singles"
    DIRECT = "direct"  # locked candidates and hidden sets that leave a digit one place at once
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
    LAST_RESORT = "last_resort"  # what is left where no pattern is known


class Scope(IntEnum):
    """What a step is found in. It depends on the candidates there alone, so it arises only as they change."""

    POSITION = 0
    DIGIT = 1  # the places of one digit
    HOUSE = 2  # the cells of one house; effects elsewhere only ever get fewer


class Trait(Flag):
    """What the facts of a technique's steps mean beyond their roles, for code that words or draws them."""

    MIDDLE = auto()  # the cells of Role.PATTERN only join the pincers
    STRONG_LINKS = auto()  # a base house is a strong link between the two places of its digit
    COVERS_JOIN = auto()  # a cover house shows how the other facts meet, not where a fish takes its digit
    PINCERS_APART = auto()  # the pincers are a part of the pattern of its own
    SETS_IN_A_ROW = auto()  # a shown house holds what only one of two sets in a row can have
    SOLVED_CORNERS = auto()  # some corners hold a digit, which was found and not given
    THREE_DIGITS = auto()  # the corners would be left with three digits, not with two
    OF_A_SUBSET = auto()  # the step's digits are those of a subset beside the corners
    OF_THE_BOARD = auto()  # it is seen only while rows and columns stand in their order
    REFUTES = auto()  # the digits of the pattern's cell are refuted, but for the one placed


NO_TRAITS: Final = Trait(0)

HARDEST_TIER: Final = 5

# Needs no bound: what the search tries is limited by the cells, houses, digits and limits alone, and it takes
# no more than seconds on any position.
SHORT: Final = 0


def N_(text: str) -> str:
    """Mark `text` for translation, looked up where it is shown. gettext's extractors know this name."""
    return text


@dataclass(frozen=True, slots=True, eq=False)
class Technique:
    """All there is to know about a technique, in one entry of TECHNIQUES.

    The fields of `limits`, `together` and `paths` are those of limits.FIELDS; one that is not mentioned is 0.
    """

    key: str  # one of keys.KEYS
    name: str  # in English, marked by N_
    _: KW_ONLY
    scan: ScanFunction
    family: Family
    # How hard it is for a person, 1 to HARDEST_TIER: 1 full house, hidden single in a box; 2 hidden single in
    # a line, naked single; 3 locked candidates and subsets; 4 fish, wings, simple coloring, the common
    # single-digit and uniqueness patterns; 5 everything else. A puzzle's level is the least that solves it.
    tier: int
    tier_in_box: int | None = None  # of steps in a box (variant 0 of hidden_single), one tier below
    bound: int  # the most a search may cost, in the scan's own unit, before it raises FULL; or SHORT
    needs_unique: bool = False  # the proof takes for granted that the puzzle has one solution
    scope: Scope = Scope.POSITION  # otherwise the scan passes over the parts in limits[BARREN]
    told_by: str = ""  # the stem of its template in templates/game/steps/, where that is not the key
    traits: Trait = NO_TRAITS
    limits: Mapping[str, int] = field(default_factory=dict)  # how far `find` looks
    # Where a path looks less far than `find`, by the path's name: "logic" is that of hints, solution paths
    # and counts, the others belong to the rating schemes of that name.
    paths: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    # Left out of "logic": a long search that hardly ever gives the first step of a position. The references
    # switch it off too.
    on_request: bool = False
    # Where one search finds this technique together with another, for a third of what two would cost: the key
    # it is asked under on a path, and on that entry the limits that widen the search.
    found_by: str = ""
    together: Mapping[str, int] = field(default_factory=dict)

    def tier_of(self, variant: int) -> int:
        """The tier of one of its steps."""
        return self.tier if self.tier_in_box is None or variant else self.tier_in_box

    @property
    def tiers(self) -> tuple[int, ...]:
        """The tiers of its steps, ascending."""
        return tuple(sorted({self.tier_of(0), self.tier}))

    @property
    def template(self) -> str:
        """The stem of the template that tells its steps."""
        return self.told_by or self.key

    def on_path(self, path: str) -> dict[str, int]:
        """The limits of a path where they differ from those of `find`, widened by `together`."""
        return {**self.paths.get(path, {}), **self.together}

    def limits_for(self, *changes: Mapping[str, int]) -> Limits:
        """int32[LIMITS_SIZE] for the scan: its bound, the limits of `find`, then every change given."""
        return limits_of(NUMBER[self.key], {"bound": self.bound}, self.limits, *changes)
