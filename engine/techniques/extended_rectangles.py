"""Extended unique rectangles: six cells, two lines by three, that must not be left with three digits."""

from __future__ import annotations

from itertools import combinations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones
from ..kernels.state import CANDIDATES, PLACES, State
from ..kernels.steps import Steps, begin, commit, put_house, put_removed_mask
from ..kernels.tables import CELL_HOUSES
from .entry import BASE, N_, SHORT, Family, Technique, Trait
from .hidden_rectangles import put_corners, remove_extra
from .limits import KEY, Limits

Six = NDArray[np.int32]

CORNERS: Final = 6
THREE: Final = 3


def _sixes() -> list[list[int]]:
    """Return every such six: each house has none, two or three of them.

    Two rows of a band by a column of each stack, or two rows of different bands by the columns of one stack;
    and the same with rows and columns exchanged.
    """
    found = []
    chutes = [range(3 * chute, 3 * chute + 3) for chute in range(3)]
    for two in combinations(range(9), 2):
        near = two[0] // 3 == two[1] // 3
        for three in product(*chutes) if near else map(tuple, chutes):
            found.append([9 * line + across for line in two for across in three])
            found.append([9 * across + line for line in two for across in three])
    return found


SIXES: Final[NDArray[np.int32]] = np.array(_sixes(), dtype=np.int32)


@kernel
def _one_roof(position: State, limits: Limits, six: Six, out: Steps, mode: int) -> bool:
    """Find one cell with more than the three digits of the others: it loses these."""
    for roof in range(CORNERS):
        trio = 0
        for index in range(CORNERS):
            if index != roof:
                trio |= position[CANDIDATES + six[index]]
        if count_ones(trio) == THREE and position[CANDIDATES + six[roof]] & ~trio:
            begin(out, limits[KEY], 1, trio, CORNERS)
            put_removed_mask(out, position, six[roof], trio)
            put_corners(position, out, six, CORNERS)
            if commit(out, mode):
                return True
    return False


@kernel
def _one_extra(position: State, limits: Limits, six: Six, union: int, out: Steps, mode: int) -> bool:
    """Find cells that share a fourth digit while the rest have all three: what sees all of the former
    loses it.
    """
    for extra in range(9):
        if not union >> extra & 1:
            continue
        roofs = 0
        floor = 0
        for index in range(CORNERS):
            mask = position[CANDIDATES + six[index]]
            if mask >> extra & 1:
                roofs += 1
            else:
                floor |= mask
        if roofs < 2 or count_ones(floor) != THREE:
            continue
        begin(out, limits[KEY], 2, 1 << extra, CORNERS)
        remove_extra(position, out, six, CORNERS, extra)
        put_corners(position, out, six, CORNERS)
        if commit(out, mode):
            return True
    return False


@kernel
def _two_roofs(position: State, limits: Limits, six: Six, out: Steps, mode: int) -> bool:
    """Find one of the three digits confined to the two cells with extras, in a house: they lose the
    others.
    """
    for first in range(CORNERS):
        for second in range(first + 1, CORNERS):
            trio = 0
            for index in range(CORNERS):
                if index not in (first, second):
                    trio |= position[CANDIDATES + six[index]]
            one, two = position[CANDIDATES + six[first]], position[CANDIDATES + six[second]]
            if count_ones(trio) != THREE or one & ~trio == 0 or two & ~trio == 0:
                continue
            for kind in range(3):
                house = CELL_HOUSES[six[first], kind]
                if house != CELL_HOUSES[six[second], kind]:
                    continue
                for digit in range(9):
                    if not (one & two & trio) >> digit & 1:
                        continue
                    if count_ones(position[PLACES + 27 * digit + house]) != 2:
                        continue
                    begin(out, limits[KEY], 4, trio, CORNERS)
                    put_removed_mask(out, position, six[first], trio & ~(1 << digit))
                    put_removed_mask(out, position, six[second], trio & ~(1 << digit))
                    put_corners(position, out, six, CORNERS)
                    put_house(out, BASE, 1 << digit, house)
                    if commit(out, mode):
                        return True
    return False


@kernel
def scan_extended_rectangle(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find six cells with three digits except the extras of one, a fourth digit, or two that share a house.

    If they were left with the three digits, the two lines could be exchanged: the puzzle would have two
    solutions.
    """
    for number in range(len(SIXES)):
        six = SIXES[number]
        union = 0
        rich = 0  # how many cells have more than three candidates
        for index in range(CORNERS):
            mask = position[CANDIDATES + six[index]]
            if mask == 0:
                rich = CORNERS
                break
            union |= mask
            rich += count_ones(mask) > THREE
        if rich == CORNERS or count_ones(union) <= THREE:
            continue
        if _one_roof(position, limits, six, out, mode):
            return
        if count_ones(union) == THREE + 1 and _one_extra(position, limits, six, union, out, mode):
            return
        if _two_roofs(position, limits, six, out, mode):
            return


ENTRIES: Final = (
    Technique(
        "extended_rectangle",
        N_("Extended Unique Rectangle"),
        scan=scan_extended_rectangle,
        family=Family.UNIQUENESS,
        tier=5,
        bound=SHORT,  # a finite list of sixes
        needs_unique=True,
        traits=Trait.THREE_DIGITS,
    ),
)
