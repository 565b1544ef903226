"""The entry a technique has in TECHNIQUES, and the roles a cell or house can play in its proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from engine.kernels.state import State
from engine.kernels.steps import Steps
from engine.techniques.limits import Limits

Scan = Callable[[State, Limits, int, Steps], None]


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
ALS: Final = int(Role.ALS)
BASE: Final = int(HouseRole.BASE)
COVER: Final = int(HouseRole.COVER)
SHOWN: Final = int(HouseRole.SHOWN)


@dataclass(frozen=True, slots=True)
class Technique:
    """One entry of TECHNIQUES."""

    key: str
    scan: Scan
    needs_unique: bool = False  # its proof takes for granted that the puzzle has one solution
