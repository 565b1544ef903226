"""BUG, the bivalue universal grave: with only bivalue cells and every digit twice in its houses, there are
two solutions.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.effects import Hits, put_hits
from ..kernels.state import CANDIDATES, DIGITS, PLACES, State
from ..kernels.steps import Steps, begin, commit, put_cell, put_house, put_removed_cells, put_removed_mask
from ..kernels.tables import CELL_HOUSES, HOUSE_CELLS, PEER_WORDS, PLACE_IN
from .entry import BASE, FIN, N_, PATTERN, SHORT, SHOWN, Family, Technique
from .limits import FINS, KEY, SIZE, Limits
from .subsets import CHOICES, FROM, digits_in, put_chosen, remove_chosen

# A step's variant is 0, for type 3 the tenths that the Explainer adds for its naked set of n digits: n - 1.

Surplus = NDArray[np.int32]  # [81] a cell's digits that keep the position from being a BUG


@kernel
def _common_peers(position: State, common: NDArray[np.int32]) -> int:
    """Count the cells with three or more candidates; `common` becomes the cells that see all of them."""
    count = 0
    for band in range(3):
        common[band] = (1 << 27) - 1
    for cell in range(81):
        mask = position[CANDIDATES + cell]
        if mask == 0:
            if position[DIGITS + cell] == 0:
                return 0
            continue
        if mask & (mask - 1) == 0:
            return 0
        if count_ones(mask) > 2:
            count += 1
            for band in range(3):
                common[band] &= PEER_WORDS[cell, band]
            if count > 1 and common[0] | common[1] | common[2] == 0:
                return 0
    return count


@kernel
def _find_surplus(position: State, surplus: Surplus) -> bool:
    """Fill `surplus`; return whether the position without it is a BUG."""
    surplus[:] = 0
    for house in range(27):
        for digit in range(9):
            places = position[PLACES + 27 * digit + house]
            if places == 0 or count_ones(places) == 2:
                continue
            # The surplus is known if only one of the places is in a cell of three or more candidates.
            larger = 0
            cell = 0
            for index in range(9):
                if places >> index & 1 and count_ones(position[CANDIDATES + HOUSE_CELLS[house, index]]) > 2:
                    larger += 1
                    cell = HOUSE_CELLS[house, index]
            if larger == 0:
                return False
            if larger == 1:
                surplus[cell] |= 1 << digit
    for cell in range(81):
        mask = position[CANDIDATES + cell]
        if mask and count_ones(mask & ~surplus[cell]) != 2:
            return False
    for house in range(27):
        for digit in range(9):
            places = position[PLACES + 27 * digit + house]
            left = count_ones(places)
            for index in range(9):
                if places >> index & 1 and surplus[HOUSE_CELLS[house, index]] >> digit & 1:
                    left -= 1
            if left != 0 and left != 2:
                return False
    return True


@kernel
def _put_surplus(out: Steps, surplus: Surplus) -> None:
    for cell in range(81):
        if surplus[cell]:
            put_cell(out, FIN, surplus[cell], cell)


@kernel
def scan_bug_plus_1(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find a single cell with a surplus; it keeps only those digits."""
    common = np.empty(3, dtype=np.int32)
    if _common_peers(position, common) != 1:
        return
    surplus = np.empty(81, dtype=np.int32)
    if not _find_surplus(position, surplus):
        return
    for cell in range(81):
        if surplus[cell]:
            begin(out, limits[KEY], 0, surplus[cell], 1)
            put_removed_mask(out, position, cell, position[CANDIDATES + cell] & ~surplus[cell])
            _put_surplus(out, surplus)
            if commit(out, mode):
                return


@kernel
def _all_surplus(surplus: Surplus) -> int:
    """Return the mask of digits that are surplus somewhere."""
    union = 0
    for cell in range(81):
        union |= surplus[cell]
    return int(union)


@kernel
def scan_bug_2(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find several cells with the same surplus digit, and remove it from every cell that sees them all."""
    common = np.empty(3, dtype=np.int32)
    count = _common_peers(position, common)
    if count < 2:
        return
    surplus = np.empty(81, dtype=np.int32)
    if not _find_surplus(position, surplus):
        return
    digits = _all_surplus(surplus)
    if digits & (digits - 1):
        return
    begin(out, limits[KEY], 0, digits, count)
    for band in range(3):
        put_removed_cells(out, position, trailing_zeros(digits), band, common[band])
    _put_surplus(out, surplus)
    commit(out, mode)


@kernel
def _shared_house(surplus: Surplus, kind: int) -> int:
    """Return the row, column or box (kind 0..2) of all cells with a surplus; -1 if they share none."""
    house = -1
    for cell in range(81):
        if surplus[cell]:
            if house >= 0 and house != CELL_HOUSES[cell, kind]:
                return -1
            house = int(CELL_HOUSES[cell, kind])
    return house


@kernel
def scan_bug_3(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Use the surplus digits of cells in one house as one more cell of a naked subset there."""
    common = np.empty(3, dtype=np.int32)
    if _common_peers(position, common) < 2:
        return
    surplus = np.empty(81, dtype=np.int32)
    if not _find_surplus(position, surplus):
        return
    digits = _all_surplus(surplus)
    if digits & (digits - 1) == 0:
        return
    for kind in range(3):
        house = _shared_house(surplus, kind)
        if house == -1:
            continue
        eligible = 0
        for index in range(9):
            cell = HOUSE_CELLS[house, index]
            if position[CANDIDATES + cell] and surplus[cell] == 0:
                eligible |= 1 << index
        for size in range(2, limits[SIZE] + 1):
            for choice in range(FROM[size - 1], FROM[size]):
                chosen = CHOICES[choice]
                if chosen & ~eligible:
                    continue
                inside = digits_in(position, house, chosen)
                if count_ones(inside) != size or digits & ~inside:
                    continue
                begin(out, limits[KEY], size - 1, inside, size)
                remove_chosen(position, out, house, eligible & ~chosen, inside)
                _put_surplus(out, surplus)
                put_chosen(position, out, PATTERN, house, chosen, inside)
                put_house(out, SHOWN, inside, house)
                if commit(out, mode):
                    return


@kernel
def scan_bug_4(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find two cells with a surplus in one house with a conjugate digit: they keep it and their surplus."""
    common = np.empty(3, dtype=np.int32)
    if _common_peers(position, common) != 2:
        return
    surplus = np.empty(81, dtype=np.int32)
    if not _find_surplus(position, surplus):
        return
    first = -1
    second = -1
    for cell in range(81):
        if surplus[cell]:
            first, second = second, cell
    if first == -1:
        return
    conjugate = position[CANDIDATES + first] & position[CANDIDATES + second] & ~_all_surplus(surplus)
    if count_ones(conjugate) != 1:
        return
    digit = trailing_zeros(conjugate)
    for kind in range(3):
        house = _shared_house(surplus, kind)
        if house == -1:
            continue
        two = 1 << PLACE_IN[first, kind] | 1 << PLACE_IN[second, kind]
        if position[PLACES + 27 * digit + house] != two:
            continue
        begin(out, limits[KEY], 0, conjugate, 2)
        put_removed_mask(out, position, first, position[CANDIDATES + first] & ~surplus[first] & ~conjugate)
        put_removed_mask(out, position, second, position[CANDIDATES + second] & ~surplus[second] & ~conjugate)
        _put_surplus(out, surplus)
        put_house(out, BASE, conjugate, house)
        if commit(out, mode):
            return


@kernel
def _intersect(hits: Hits, cell: int, digits: int) -> None:
    """Intersect `hits` with what each digit of the mask in `cell` rules out."""
    for digit in range(9):
        if not digits >> digit & 1:
            continue
        for other in range(9):
            for band in range(3):
                if other == digit:
                    hits[3 * other + band] &= PEER_WORDS[cell, band]
                else:
                    hits[3 * other + band] &= 1 << cell % 27 if band == cell // 27 else 0


@kernel
def scan_bug_plus_n(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find up to limits[FINS] surplus digits of several cells; eliminate what each of them rules out."""
    larger = 0
    for cell in range(81):
        count = count_ones(position[CANDIDATES + cell])
        if count == 1 or (count == 0 and position[DIGITS + cell] == 0):
            return
        larger += count > 2
    if not 2 <= larger <= limits[FINS]:
        return
    surplus = np.empty(81, dtype=np.int32)
    if not _find_surplus(position, surplus):
        return
    hits = np.empty(27, dtype=np.int32)
    hits[:] = (1 << 27) - 1
    count = 0
    for cell in range(81):
        _intersect(hits, cell, surplus[cell])
        count += count_ones(surplus[cell])
    if count > limits[FINS]:
        return
    begin(out, limits[KEY], 0, _all_surplus(surplus), count)
    put_hits(out, position, hits)
    _put_surplus(out, surplus)
    commit(out, mode)


# No limit: a BUG has few cells of more than two candidates.
_bug = partial(Technique, family=Family.UNIQUENESS, tier=5, bound=SHORT, needs_unique=True)

ENTRIES: Final = (
    _bug("bug_plus_1", N_("BUG+1"), scan=scan_bug_plus_1, tier=4),
    _bug("bug_2", N_("BUG Type 2"), scan=scan_bug_2),
    _bug("bug_3", N_("BUG Type 3"), scan=scan_bug_3, limits={"size": 6}, rare=True),
    _bug("bug_4", N_("BUG Type 4"), scan=scan_bug_4, rare=True),
    _bug("bug_plus_n", N_("BUG+n"), scan=scan_bug_plus_n, limits={"fins": 8}),
)
