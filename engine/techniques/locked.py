"""Locked candidates: a digit confined to one line of one box. Also the direct forms that end in a single."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import PLACES, State
from ..kernels.steps import Steps, begin, commit, put_house, put_placed
from ..kernels.tables import HOUSE_CELLS, SHARED
from .entry import BASE, COVER, N_, PATTERN, SHORT, Family, Scope, Technique, Trait
from .keys import NUMBER
from .limits import BARREN, KEY, KINDS, Limits
from .subsets import put_chosen, remove_chosen

POINTING: Final = NUMBER["pointing"]
DIRECT_POINTING: Final = NUMBER["direct_pointing"]

_ROW: Final = 0b000_000_111
_COLUMN: Final = 0b001_001_001


def _holders(parts: list[int]) -> NDArray[np.int32]:
    """Return int32[512]: for nine places as bits, the part that contains them all, -1 if none does."""
    return np.array(
        [next((n for n, part in enumerate(parts) if mask & ~part == 0), -1) for mask in range(512)],
        dtype=np.int32,
    )


# Which part of a line in one box, or which row 0..2 or column 3..5 of a box, contains all of some places.
THIRD: Final = _holders([_ROW, _ROW << 3, _ROW << 6])
LINE: Final = _holders([_ROW, _ROW << 3, _ROW << 6, _COLUMN, _COLUMN << 1, _COLUMN << 2])


@kernel
def _crossing(base: int, places: int) -> int:
    """Return the house that crosses `base` and contains two or more places of it; -1 if none contains them
    all.
    """
    if base < 18:
        third = THIRD[places]
        if third < 0:
            return -1
        return int(18 + base // 3 * 3 + third if base < 9 else 18 + (base - 9) // 3 + 3 * third)
    line = LINE[places]
    if line < 0:
        return -1
    return int((base - 18) // 3 * 3 + line if line < 3 else 6 + (base - 18) % 3 * 3 + line)


@kernel
def _put_locked(position: State, limits: Limits, mode: int, out: Steps, digit: int, base: int) -> bool:
    """Write the step of a digit confined to the crossing of `base` and another house; returns whether to
    continue.
    """
    places = position[PLACES + 27 * digit + base]
    if limits[BARREN] >> digit & 1 or count_ones(places) < 2:
        return True
    cover = _crossing(base, places)
    if cover < 0:
        return True
    rest = position[PLACES + 27 * digit + cover] & ~SHARED[cover, base]
    if rest == 0:
        return True
    begin(out, limits[KEY], 0, 1 << digit, count_ones(places))
    remove_chosen(position, out, cover, rest, 1 << digit)
    put_chosen(position, out, PATTERN, base, places, 1 << digit)
    put_house(out, BASE, 1 << digit, base)
    put_house(out, COVER, 1 << digit, cover)
    return not commit(out, mode)


@kernel
def scan_locked_candidates(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find pointing (base a box) or claiming (base a line): clears the rest of the crossing house.

    limits[KINDS]: 1 to take houses in order and their digits one by one, as HoDoKu does.
    """
    pointing = limits[KEY] == POINTING
    if limits[KINDS]:
        for base in range(18 if pointing else 0, 27 if pointing else 18):
            for digit in range(9):
                if not _put_locked(position, limits, mode, out, digit, base):
                    return
        return
    # Columns come before rows, as in the Explainer: a net takes lemmas in the order found.
    for turn in range(18):
        digit = turn % 9
        lines = 9 if turn < 9 else 0
        for base in range(18 if pointing else lines, 27 if pointing else lines + 9):
            if pointing and _crossing(base, position[PLACES + 27 * digit + base]) // 9 * 9 != lines:
                continue
            if not _put_locked(position, limits, mode, out, digit, base):
                return


@kernel
def scan_direct_locked(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find locked candidates that leave a hidden single of the same digit in a house of the base's kind."""
    pointing = limits[KEY] == DIRECT_POINTING
    for digit in range(9):
        if limits[BARREN] >> digit & 1:
            continue
        bit = 1 << digit
        for base in range(18 if pointing else 0, 27 if pointing else 18):
            places = position[PLACES + 27 * digit + base]
            if count_ones(places) < 2:
                continue
            cover = _crossing(base, places)
            if cover < 0:
                continue
            kind = base // 9 * 9
            for other in range(kind, kind + 9):
                if other == base or SHARED[other, cover] == 0:
                    continue
                there = position[PLACES + 27 * digit + other]
                left = there & ~SHARED[other, cover]
                if count_ones(there) < 2 or count_ones(left) != 1:
                    continue
                begin(out, limits[KEY], 0, bit, count_ones(places))
                put_placed(out, HOUSE_CELLS[other, trailing_zeros(left)], digit)
                put_chosen(position, out, PATTERN, base, places, bit)
                put_house(out, BASE, bit, base)
                put_house(out, BASE, bit, other)
                put_house(out, COVER, bit, cover)
                if commit(out, mode):
                    return


# No limit: one look at each box with each line.
_locked = partial(
    Technique,
    scan=scan_locked_candidates,
    family=Family.LOCKED_CANDIDATES,
    tier=3,
    bound=SHORT,
    template_name="locked",
    scope=Scope.DIGIT,
    paths={"hodoku": {"kinds": 1}},
)
_direct = partial(
    Technique,
    scan=scan_direct_locked,
    family=Family.DIRECT,
    tier=3,
    bound=SHORT,
    template_name="direct_locked",
    scope=Scope.DIGIT,
    traits=Trait.COVERS_JOIN,
)

ENTRIES: Final = (
    _locked("pointing", N_("Pointing Pair")),
    _locked("claiming", N_("Claiming Pair")),
    _direct("direct_pointing", N_("Direct Pointing Pair")),
    _direct("direct_claiming", N_("Direct Claiming Pair"), rare=True),
)
