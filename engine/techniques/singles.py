"""Singles: a digit with one place in a house, a cell with one candidate."""

from __future__ import annotations

from functools import partial
from typing import Final

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CANDIDATES, EMPTY, PLACES, State
from ..kernels.steps import Steps, begin, commit, put_cell, put_house, put_placed
from ..kernels.tables import HOUSE_CELLS
from .entry import BASE, N_, PATTERN, SHORT, Family, Technique
from .limits import KEY, Limits

# Variants of both house techniques: the kind of house. Boxes come first, since that is where players see a
# hidden single and where the Explainer rates it lower.
IN_BOX: Final = 0
IN_LINE: Final = 1


@kernel
def house_of_order(index: int) -> int:
    """Return the number of the house searched in this position: boxes, then columns, then rows."""
    return 18 + index if index < 9 else (index if index < 18 else index - 18)


@kernel
def scan_full_house(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find a house with one empty cell."""
    for order in range(27):
        house = house_of_order(order)
        empty = position[EMPTY + house]
        if empty == 0 or empty & (empty - 1):
            continue
        last = HOUSE_CELLS[house, trailing_zeros(empty)]
        mask = position[CANDIDATES + last]
        if count_ones(mask) != 1:
            continue
        digit = trailing_zeros(mask)
        begin(out, limits[KEY], IN_BOX if order < 9 else IN_LINE, mask, 1)
        put_placed(out, last, digit)
        put_cell(out, PATTERN, mask, last)
        put_house(out, BASE, mask, house)
        if commit(out, mode):
            return


@kernel
def scan_hidden_single(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find a digit with one place left in a house."""
    for order in range(27):
        house = house_of_order(order)
        for digit in range(9):
            places = position[PLACES + 27 * digit + house]
            if places == 0 or places & (places - 1):
                continue
            cell = HOUSE_CELLS[house, trailing_zeros(places)]
            begin(out, limits[KEY], IN_BOX if order < 9 else IN_LINE, 1 << digit, 1)
            put_placed(out, cell, digit)
            put_cell(out, PATTERN, 1 << digit, cell)
            put_house(out, BASE, 1 << digit, house)
            if commit(out, mode):
                return


@kernel
def scan_naked_single(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find a cell with one candidate left."""
    for cell in range(81):
        mask = position[CANDIDATES + cell]
        if mask == 0 or mask & (mask - 1):
            continue
        begin(out, limits[KEY], 0, mask, 1)
        put_placed(out, cell, trailing_zeros(mask))
        put_cell(out, PATTERN, mask, cell)
        if commit(out, mode):
            return


# No limit: one look at each cell, house or place of a digit.
_single = partial(Technique, family=Family.SINGLES, bound=SHORT)

ENTRIES: Final = (
    _single("full_house", N_("Full House"), scan=scan_full_house, tier=1),
    _single("hidden_single", N_("Hidden Single"), scan=scan_hidden_single, tier=2, tier_in_box=1),
    _single("naked_single", N_("Naked Single"), scan=scan_naked_single, tier=2),
)
