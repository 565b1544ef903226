"""Wings: bivalue cells around a pivot, from the XY-wing to seven cells; the W-wing over a conjugate pair."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CANDIDATES, CELLS, PLACES, State
from ..kernels.steps import FIRST, Steps, begin, commit, put_cell, put_house, put_removed_cells
from ..kernels.tables import CELL_HOUSES, HOUSE_CELLS, PEER_WORDS, SEEN_PLACES, SEES
from .entry import BASE, N_, PATTERN, PINCER, PIVOT, SHORT, Family, Technique, Trait
from .limits import KEY, KINDS, SIZE, Limits
from .subsets import CHOICES, FROM, put_chosen, unpacked

Row = NDArray[np.int32]

# Kinds of XY-wing, as bits of limits[KINDS].
BOX_AND_LINE: Final = 1  # one pincer in the pivot's box, the other outside it
TWO_LINES: Final = 2  # any other

# Parts of the scratch array of the larger wings.
_VICTIMS: Final = 0  # of each digit, three words
_ALS: Final = 27  # its cells
_PEERS: Final = _ALS + 8  # of each digit, three words: what sees all its places in the cells
_UNIONS: Final = _PEERS + 27  # digits of each fitting set of the cells of a house
_BEST: Final = _UNIONS + 512  # house, choice, bivalue cell and digits of the best wing so far
_WORDS: Final = _BEST + 4

NOTHING: Final = 1 << 40  # worse than any wing


@kernel
def scan_small_wing(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find XY-wings (limits[SIZE] 2, of the kinds limits[KINDS]) and XYZ-wings (3): the size is the
    pivot's.
    """
    size = int(limits[SIZE])
    kinds = int(limits[KINDS])
    pairs = np.zeros(3, dtype=np.int32)  # the bivalue cells as words
    for cell in range(81):
        pairs[cell // 27] |= (count_ones(position[CANDIDATES + cell]) == 2) << cell % 27
    pincers = np.empty(20, dtype=np.int32)
    for pivot in range(81):
        around = int(position[CANDIDATES + pivot])
        if count_ones(around) != size:
            continue
        count = 0
        for band in range(3):
            rest = PEER_WORDS[pivot, band] & pairs[band]
            while rest:
                cell = 27 * band + trailing_zeros(rest)
                rest &= rest - 1
                pincers[count] = cell
                count += count_ones(position[CANDIDATES + cell] & around) == size - 1
        for index in range(count):
            one = pincers[index]
            first = int(position[CANDIDATES + one])
            for later in range(index + 1, count):
                two = pincers[later]
                second = int(position[CANDIDATES + two])
                common = first & second
                if count_ones(common) != 1 or (first ^ second) & ~around:
                    continue
                # XY and XZ, YZ share no digit; with XYZ they share one.
                if (common & around == 0) != (size == 2):
                    continue
                boxed = (CELL_HOUSES[one, 2] == CELL_HOUSES[pivot, 2]) != (
                    CELL_HOUSES[two, 2] == CELL_HOUSES[pivot, 2]
                )
                if size == 2 and not kinds & (BOX_AND_LINE if boxed else TWO_LINES):
                    continue
                digit = trailing_zeros(common)
                begin(out, limits[KEY], 0 if boxed else 1, around | common, size + 1)
                for band in range(3):
                    victims = PEER_WORDS[one, band] & PEER_WORDS[two, band]
                    if size == 3:
                        victims &= PEER_WORDS[pivot, band]
                    put_removed_cells(out, position, digit, band, victims)
                put_cell(out, PIVOT, around, pivot)
                put_cell(out, PINCER, first, one)
                put_cell(out, PINCER, second, two)
                if commit(out, mode):
                    return


@kernel
def _look_at_set(position: State, house: int, choice: int, union: int, scratch: Row) -> int:
    """Fill _ALS and _PEERS for the places `choice` of `house`; return the most digits in a cell."""
    rest = choice
    count = 0
    largest = 0
    while rest:
        cell = HOUSE_CELLS[house, trailing_zeros(rest)]
        rest &= rest - 1
        scratch[_ALS + count] = cell
        count += 1
        largest = max(largest, count_ones(position[CANDIDATES + cell]))
    while union:
        digit = trailing_zeros(union)
        union &= union - 1
        for band in range(3):
            scratch[_PEERS + 3 * digit + band] = (1 << 27) - 1
        for index in range(count):
            cell = scratch[_ALS + index]
            if position[CANDIDATES + cell] >> digit & 1:
                for band in range(3):
                    scratch[_PEERS + 3 * digit + band] &= PEER_WORDS[cell, band]
    return largest


@kernel
def _sees(digit: int, cell: int, scratch: Row) -> bool:
    """Whether `cell` sees every place of `digit` in the set."""
    return bool(scratch[_PEERS + 3 * digit + cell // 27] >> (cell % 27) & 1)


@kernel
def _clear(position: State, digit: int, wing: int, scratch: Row) -> int:
    """Fill _VICTIMS with what sees a digit's places in the set and `wing` (if not -1); return how many."""
    count = 0
    for band in range(3):
        victims = scratch[_PEERS + 3 * digit + band] & position[CELLS + 3 * digit + band]
        if wing >= 0:
            victims &= PEER_WORDS[wing, band]
        scratch[_VICTIMS + 3 * digit + band] = victims
        count += count_ones(victims)
    return count


@kernel
def _fit(position: State, wing: int, union: int, scratch: Row) -> int:
    """Compute what the set of digits `union` and the bivalue cell `wing` remove, in _VICTIMS; returns how
    much.

    One digit of the cell is confined to cells that see each other: the other is eliminated from what sees all
    its places. If both are, the set and the cell hold all their digits.
    """
    for word in range(27):
        scratch[_VICTIMS + word] = 0
    pair = int(position[CANDIDATES + wing])
    x, z = trailing_zeros(pair), trailing_zeros(pair & (pair - 1))
    by_x, by_z = _sees(x, wing, scratch), _sees(z, wing, scratch)
    count = 0
    if by_x:
        count += _clear(position, z, wing, scratch)
    if by_z:
        count += _clear(position, x, wing, scratch)
    if by_x and by_z:
        rest = union & ~pair
        while rest:
            digit = trailing_zeros(rest)
            rest &= rest - 1
            count += _clear(position, digit, -1, scratch)
    return count


@kernel
def _tenths(size: int, largest: int) -> int:
    """Return the tenths that the Explainer adds to the lowest rating of a wing of this size."""
    if size > 5:
        return 0
    middle = (size + 2) // 2
    return size - middle - abs(middle - largest)


@kernel
def _put_wing(
    position: State, limits: Limits, variant: int, union: int, wing: int, scratch: Row, out: Steps
) -> None:
    """Write the wing with the eliminations in _VICTIMS; the caller commits."""
    size = int(limits[SIZE])
    begin(out, limits[KEY], variant, union, size)
    for digit in range(9):
        for band in range(3):
            put_removed_cells(out, position, digit, band, scratch[_VICTIMS + 3 * digit + band])
    for index in range(size - 1):
        cell = scratch[_ALS + index]
        put_cell(out, PATTERN, position[CANDIDATES + cell], cell)
    put_cell(out, PINCER, position[CANDIDATES + wing], wing)


@kernel
def _fill_unions(position: State, house: int, size: int, scratch: Row) -> int:
    """Fill _UNIONS for all sets of the open cells of a house with at most `size` candidates each.

    Fills nothing if these are too few for a wing. Returns their indices in the form of `unpacked`, and from
    bit 36 on their number.
    """
    indices = 0
    fitting = 0
    scratch[_UNIONS] = 0
    for index in range(9):
        mask = position[CANDIDATES + HOUSE_CELLS[house, index]]
        if mask & (mask - 1) and count_ones(mask) <= size:
            indices |= index << 4 * fitting
            scratch[_UNIONS + (1 << fitting)] = mask
            fitting += 1
    for choice in range(3, 1 << fitting if fitting >= size - 1 else 0):
        low = choice & -choice
        scratch[_UNIONS + choice] = scratch[_UNIONS + low] | scratch[_UNIONS + (choice ^ low)]
    return indices | fitting << 36


@kernel
def scan_large_wing(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find limits[SIZE] cells with as many digits: all but one in a house, and a bivalue cell (WXYZ-wing and
    larger).

    Mode FIRST returns the Explainer's choice: the lowest variant, then most eliminations, then a doubly
    linked wing before others, then the cells with most digits.
    """
    size = int(limits[SIZE])
    scratch = np.empty(_WORDS, dtype=np.int32)
    bivalue = np.empty(82, dtype=np.int32)
    inside = np.empty(82, dtype=np.int32)  # of these, those with only digits of a set
    pairs = 0
    for cell in range(81):
        if count_ones(position[CANDIDATES + cell]) == 2:
            bivalue[pairs] = cell
            pairs += 1
    if pairs == 0:
        return
    best = NOTHING
    for house in range(27):
        indices = _fill_unions(position, house, size, scratch)
        fitting = indices >> 36
        for number in range(FROM[size - 1], FROM[size]):
            if CHOICES[number] >> fitting:
                break
            union = int(scratch[_UNIONS + CHOICES[number]])
            if count_ones(union) != size:
                continue
            choice = unpacked(int(CHOICES[number]), indices)
            largest = 0
            count = 0
            for index in range(pairs):  # branchless, since no branch would be predictable
                inside[count] = bivalue[index]
                count += (position[CANDIDATES + bivalue[index]] & ~union) == 0
            for index in range(count):
                wing = int(inside[index])
                pair = int(position[CANDIDATES + wing])
                x, z = trailing_zeros(pair), trailing_zeros(pair & (pair - 1))
                unseen = choice & ~SEEN_PLACES[wing, house]
                by_x = position[PLACES + 27 * x + house] & unseen == 0
                by_z = position[PLACES + 27 * z + house] & unseen == 0
                if not by_x | by_z:
                    continue
                if largest == 0:
                    largest = _look_at_set(position, house, choice, union, scratch)
                    # A set inside the intersection of a line and a box is found in the box.
                    box = CELL_HOUSES[scratch[_ALS], 2]
                    boxed = house < 18
                    for other in range(1, size - 1):
                        boxed = boxed and CELL_HOUSES[scratch[_ALS + other], 2] == box
                    if boxed:
                        break
                removed = _fit(position, wing, union, scratch)
                if removed == 0:
                    continue
                variant = _tenths(size, largest)
                if mode != FIRST:
                    _put_wing(position, limits, variant, union, wing, scratch, out)
                    if commit(out, mode):
                        return
                    continue
                digits = 0
                for other in range(size - 1):
                    digits += count_ones(position[CANDIDATES + scratch[_ALS + other]])
                worth = (
                    (variant * 1000 - removed) * 1000 - (500 if by_x and by_z else 0) - 50 * largest - digits
                )
                if worth < best:
                    best = worth
                    scratch[_BEST] = house
                    scratch[_BEST + 1] = choice
                    scratch[_BEST + 2] = wing
                    scratch[_BEST + 3] = union
    if best == NOTHING:
        return
    house, choice, wing = int(scratch[_BEST]), int(scratch[_BEST + 1]), int(scratch[_BEST + 2])
    union = int(scratch[_BEST + 3])
    largest = _look_at_set(position, house, choice, union, scratch)
    _fit(position, wing, union, scratch)
    _put_wing(position, limits, _tenths(size, largest), union, wing, scratch, out)
    commit(out, mode)


@kernel
def scan_w_wing(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find two bivalue cells of one pair, joined by a conjugate pair of one of its digits."""
    for one in range(81):
        pair = int(position[CANDIDATES + one])
        if count_ones(pair) != 2:
            continue
        for two in range(one + 1, 81):
            if position[CANDIDATES + two] != pair or SEES[one, two]:
                continue
            for turn in range(2):
                link = trailing_zeros(pair) if turn == 0 else trailing_zeros(pair & (pair - 1))
                digit = trailing_zeros(pair & ~(1 << link))
                useful = 0
                for band in range(3):
                    cells = PEER_WORDS[one, band] & PEER_WORDS[two, band]
                    useful |= cells & position[CELLS + 3 * digit + band]
                if useful == 0:
                    continue
                for house in range(27):
                    places = position[PLACES + 27 * link + house]
                    by_one, by_two = SEEN_PLACES[one, house] & places, SEEN_PLACES[two, house] & places
                    if count_ones(places) != 2 or by_one == 0 or by_two == 0 or by_one | by_two != places:
                        continue
                    begin(out, limits[KEY], 0, pair, 4)
                    for band in range(3):
                        victims = PEER_WORDS[one, band] & PEER_WORDS[two, band]
                        put_removed_cells(out, position, digit, band, victims)
                    put_cell(out, PINCER, pair, one)
                    put_cell(out, PINCER, pair, two)
                    put_chosen(position, out, PATTERN, house, places, 1 << link)
                    put_house(out, BASE, 1 << link, house)
                    if commit(out, mode):
                        return


# No limit: up to three cells of the pivot of a small wing, up to seven cells of one house and beside it.
_wing = partial(Technique, family=Family.WINGS, bound=SHORT)
_small = partial(_wing, scan=scan_small_wing, tier=4)
_large = partial(_wing, scan=scan_large_wing, tier=5, template_name="large_wing", traits=Trait.PINCERS_APART)

ENTRIES: Final = (
    _small(
        "xy_wing",
        N_("XY-Wing"),
        limits={"size": 2, "kinds": BOX_AND_LINE | TWO_LINES},
        paths={"weighted_rules": {"kinds": BOX_AND_LINE}},  # as the paper describes it
    ),
    _small("xyz_wing", N_("XYZ-Wing"), limits={"size": 3}),
    _large("wxyz_wing", N_("WXYZ-Wing"), limits={"size": 4}),
    _large("vwxyz_wing", N_("VWXYZ-Wing"), limits={"size": 5}, rare=True),
    _large("uvwxyz_wing", N_("UVWXYZ-Wing"), limits={"size": 6}, rare=True),
    _large("tuvwxyz_wing", N_("TUVWXYZ-Wing"), limits={"size": 7}, rare=True),
    _wing("w_wing", N_("W-Wing"), scan=scan_w_wing, tier=4, traits=Trait.MIDDLE | Trait.STRONG_LINKS),
)
