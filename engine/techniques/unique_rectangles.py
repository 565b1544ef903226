"""Unique rectangles 1 to 6 and longer unique loops: loops of cells that must not be left with two digits.

Hidden and avoidable rectangles are in hidden_rectangles.py.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..geometry import HOUSES, HOUSES_OF
from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CANDIDATES, CELLS, PLACES, State
from ..kernels.steps import (
    FULL,
    PAST_BOUND,
    Steps,
    begin,
    commit,
    put_house,
    put_removed,
    put_removed_mask,
)
from ..kernels.tables import ALL_DIGITS, CELL_HOUSES, HOUSE_CELLS, PEER_WORDS, PLACE_IN, SEES, SHARED
from .entry import BASE, N_, PATTERN, SHORT, SHOWN, Family, Technique, Trait
from .hidden_rectangles import (
    RECTANGLES,
    confined,
    fits,
    open_rectangles,
    put_corners,
    remove_extra,
)
from .keys import NUMBER
from .limits import BOUND, KEY, KINDS, Limits
from .subsets import CHOICES, FROM, digits_in, put_chosen, remove_chosen

TYPE_1: Final = NUMBER["unique_rectangle_1"]
TYPE_2: Final = NUMBER["unique_rectangle_2"]
TYPE_3: Final = NUMBER["unique_rectangle_3"]
TYPE_4: Final = NUMBER["unique_rectangle_4"]
TYPE_5: Final = NUMBER["unique_rectangle_5"]
UNIQUE_LOOP: Final = NUMBER["unique_loop"]

# A step's variant is its type 1..4 plus SUBSET times the tenths that the Explainer adds for the subset of
# type 3: n - 1 for a naked set of n digits, n - 2 for a hidden one.
SUBSET: Final = 10

# The forms of types 3 and 4 to search for, as bits of limits[KINDS]. With AS_EXPLAINER alone rectangles come
# in that program's order too, which decides between two of one price.
AS_EXPLAINER: Final = (
    1  # subsets up to half of the house, which may overlap the pair; one shared house is enough
)
AS_HODOKU: Final = 2  # any naked subset without the pair; the conjugate digit confined in every shared house

Cells = NDArray[np.int32]
LONGEST: Final = 18  # cells of a loop: two in each row


def _walked(first: int, second: int, third: int, fourth: int) -> list[tuple[int, int]]:
    """Return the Explainer's path around a loop: alternating kind of house (box, row, column) and cell in it.

    Its search leaves each cell by another kind of house than it entered by.
    """
    ways: list[list[tuple[int, int]]] = [[]]
    for cell, following in ((first, second), (second, third), (third, fourth), (fourth, first)):
        ways = [
            [*way, (kind, HOUSES[house].index(following))]
            for way in ways
            for kind, house in enumerate(_by_kind(cell))
            if following in HOUSES[house] and (not way or way[-1][0] != kind)
        ]
    return min(ways)


def _by_kind(cell: int) -> tuple[int, int, int]:
    """Return the box, the row and the column of a cell."""
    row, column, box = HOUSES_OF[cell]
    return box, row, column


def _from_each_cell() -> list[list[tuple[int, int, int, int]]]:
    """Return the 24 rectangles of each cell as loops from there, in the Explainer's order."""
    loops: list[list[tuple[int, int, int, int]]] = [[] for _ in range(81)]
    for a, b, c, d in RECTANGLES.tolist():
        for start, one, across, other in ((a, b, c, d), (b, c, d, a), (c, d, a, b), (d, a, b, c)):
            ways = (start, one, across, other), (start, other, across, one)
            loops[start].append(min(ways, key=lambda way: _walked(*way)))
    return [sorted(each, key=lambda way: _walked(*way)) for each in loops]


LOOPS_FROM: Final[NDArray[np.int32]] = np.array(_from_each_cell(), dtype=np.int32)  # [81, 24, 4]


class Loop(NamedTuple):
    """A loop of cells with the two digits that must not be left, and the search that it belongs to."""

    position: State
    limits: Limits
    mode: int
    out: Steps
    cells: Cells
    length: int
    pair: int


@kernel
def _type_1(loop: Loop, roof: int) -> bool:
    """One cell has extras: it loses the pair."""
    begin(loop.out, loop.limits[KEY], 1, loop.pair, loop.length)
    put_removed_mask(loop.out, loop.position, roof, loop.pair)
    put_corners(loop.position, loop.out, loop.cells, loop.length)
    return commit(loop.out, loop.mode)


@kernel
def _type_2(loop: Loop, extra: int) -> bool:
    """All extras are one digit: every cell that sees all of them loses it."""
    begin(loop.out, loop.limits[KEY], 2, 1 << extra, loop.length)
    remove_extra(loop.position, loop.out, loop.cells, loop.length, extra)
    put_corners(loop.position, loop.out, loop.cells, loop.length)
    return commit(loop.out, loop.mode)


@kernel
def _places(first: int, second: int, kind: int) -> int:
    """Return the places of two cells in the house of that kind which both share; 0 if they share none."""
    if CELL_HOUSES[first, kind] != CELL_HOUSES[second, kind]:
        return 0
    return int(1 << PLACE_IN[first, kind] | 1 << PLACE_IN[second, kind])


@kernel
def _type_4(loop: Loop, first: int, second: int) -> bool:
    """A digit of the pair is confined to the two cells with extras in a shared house: both lose the other."""
    position, out, pair = loop.position, loop.out, loop.pair
    for digit in range(9):
        if not pair >> digit & 1:
            continue
        shared = 0
        confined = 0
        base = 0
        for kind in range(3):
            two = _places(first, second, kind)
            if two == 0:
                continue
            shared += 1
            places = position[PLACES + 27 * digit + CELL_HOUSES[first, kind]]
            if places and not places & ~two:
                confined += 1
                base = CELL_HOUSES[first, kind]
        if confined == 0 or (confined < shared and not loop.limits[KINDS] & AS_EXPLAINER):
            continue
        begin(out, loop.limits[KEY], 4, pair, loop.length)
        put_removed_mask(out, position, first, pair & ~(1 << digit))
        put_removed_mask(out, position, second, pair & ~(1 << digit))
        put_corners(position, out, loop.cells, loop.length)
        put_house(out, BASE, 1 << digit, base)
        if commit(out, loop.mode):
            return True
    return False


@kernel
def _other_house(house: int, chosen: int, first: int, second: int) -> int:
    """Return a further house with both cells and those chosen in `house` (nine bits); -1 if there is none."""
    for kind in range(3):
        other = CELL_HOUSES[first, kind]
        if other != house and other == CELL_HOUSES[second, kind] and not chosen & ~SHARED[house, other]:
            return int(other)
    return -1


@kernel
def _type_3(loop: Loop, first: int, second: int) -> bool:
    """The extras of two cells act as one more cell of a naked or hidden subset in a house of both."""
    position, out, kinds = loop.position, loop.out, loop.limits[KINDS]
    one = position[CANDIDATES + first]
    other = position[CANDIDATES + second]
    extra = (one | other) & ~loop.pair
    for kind in range(3):
        two = _places(first, second, kind)
        if two == 0:
            continue
        house = CELL_HOUSES[first, kind]
        places = 0  # of the empty cells
        eligible = 0
        for index in range(9):
            mask = position[CANDIDATES + HOUSE_CELLS[house, index]]
            if mask:
                places |= 1 << index
                eligible |= 1 << index if kinds & AS_EXPLAINER or not mask & loop.pair else 0
        eligible &= ~two
        empty = count_ones(places)
        for size in range(2, count_ones(eligible) + 2):
            for choice in range(FROM[size - 1], FROM[size]):
                chosen = CHOICES[choice]
                if chosen & ~eligible:
                    continue
                inside = digits_in(position, house, chosen)
                naked = inside | extra
                if count_ones(naked) != size:
                    continue
                hidden = 2 * size > empty
                fitting = kinds & AS_HODOKU != 0 and not inside & loop.pair
                if kinds & AS_EXPLAINER and count_ones(extra) >= 2:
                    if hidden:
                        fitting = fitting or (not naked & loop.pair and 2 * (empty - size) < empty)
                    else:
                        fitting = fitting or inside | (one & other & extra) == naked
                if not fitting:
                    continue
                further = _other_house(house, chosen, first, second)
                hidden = hidden and further == -1 and not naked & loop.pair
                tenths = empty - size - 2 if hidden else size - 1
                begin(out, loop.limits[KEY], 3 + SUBSET * tenths, naked, loop.length)
                rest = places & ~chosen & ~two
                remove_chosen(position, out, house, rest, naked)
                if further != -1:
                    remove_chosen(position, out, further, ALL_DIGITS & ~SHARED[further, house], naked)
                put_corners(position, out, loop.cells, loop.length)
                if hidden:
                    put_chosen(position, out, PATTERN, house, rest, ALL_DIGITS & ~naked)
                    put_house(out, BASE, digits_in(position, house, rest | two) & ~naked, house)
                else:
                    put_chosen(position, out, PATTERN, house, chosen, ALL_DIGITS)
                    put_house(out, SHOWN, naked, house)
                if further != -1:
                    put_house(out, SHOWN, naked, further)
                if commit(out, loop.mode):
                    return True
    return False


@kernel
def _try_loop(loop: Loop) -> bool:
    """Write the steps of one loop, of every type searched for; returns True to stop the scan."""
    position, key = loop.position, loop.limits[KEY]
    roofs = 0
    first = -1
    second = -1
    extra = 0
    for index in range(loop.length):
        mask = position[CANDIDATES + loop.cells[index]] & ~loop.pair
        if mask:
            roofs += 1
            extra |= mask
            if first == -1:
                first = loop.cells[index]
            elif second == -1:
                second = loop.cells[index]
    if roofs == 0:
        return False
    long = key == UNIQUE_LOOP
    if roofs == 1:
        return (key == TYPE_1 or long) and _type_1(loop, first)
    aligned = roofs == 2 and SEES[first, second] != 0
    if extra & (extra - 1) == 0:
        wanted = key == (TYPE_2 if aligned else TYPE_5) or long
        if wanted and _type_2(loop, trailing_zeros(extra)):
            return True
    if not aligned:
        return False
    if (key == TYPE_3 or long) and _type_3(loop, first, second):
        return True
    return (key == TYPE_4 or long) and _type_4(loop, first, second)


@kernel
def _pair_of_corner(position: State, rectangle: int, index: int) -> int:
    """Return the digits of a bivalue corner; 0 if it is not or an earlier one has the same."""
    pair = position[CANDIDATES + RECTANGLES[rectangle, index]]
    if count_ones(pair) != 2:
        return 0
    for other in range(index):
        if position[CANDIDATES + RECTANGLES[rectangle, other]] == pair:
            return 0
    return int(pair)


@kernel
def _scan_from_each_cell(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Like `scan_unique_rectangle`, from each bivalue cell in order; all four corners have the pair."""
    for start in range(81):
        pair = position[CANDIDATES + start]
        if count_ones(pair) != 2:
            continue
        for index in range(24):
            loop = LOOPS_FROM[start, index]
            held = True
            for corner in range(1, 4):
                mask = position[CANDIDATES + loop[corner]]
                # A rectangle whose lowest bivalue corner is another was found from there.
                held = held and mask & pair == pair and (mask != pair or loop[corner] > start)
            if held and _try_loop(Loop(position, limits, mode, out, loop, 4, int(pair))):
                return


@kernel
def scan_unique_rectangle(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find types 1 to 5 of the rectangle, by limits[KEY]."""
    if limits[KINDS] == AS_EXPLAINER:
        _scan_from_each_cell(position, limits, mode, out)
        return
    loop = np.empty(4, dtype=np.int32)
    for rectangle in open_rectangles(position):
        for corner in range(4):
            pair = _pair_of_corner(position, rectangle, corner)
            if pair == 0 or not fits(position, limits, rectangle, pair):
                continue
            for index in range(4):
                loop[index] = RECTANGLES[rectangle, index]
            if _try_loop(Loop(position, limits, mode, out, loop, 4, pair)):
                return


@kernel
def scan_unique_rectangle_6(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find extras on a diagonal; a digit confined to the corners in both rows and columns is removed from
    it.
    """
    for rectangle in open_rectangles(position):
        for index in range(4):
            pair = _pair_of_corner(position, rectangle, index)
            if pair == 0 or not fits(position, limits, rectangle, pair):
                continue
            roof = 1 - index % 2  # the diagonal that must hold the extras
            if (
                position[CANDIDATES + RECTANGLES[rectangle, 1 - roof]] & ~pair
                or position[CANDIDATES + RECTANGLES[rectangle, 3 - roof]] & ~pair
                or not position[CANDIDATES + RECTANGLES[rectangle, roof]] & ~pair
                or not position[CANDIDATES + RECTANGLES[rectangle, 2 + roof]] & ~pair
            ):
                continue
            first = RECTANGLES[rectangle, roof]
            second = RECTANGLES[rectangle, 2 + roof]
            for digit in range(9):
                if not pair >> digit & 1:
                    continue
                held = True
                for kind in range(2):
                    held = held and confined(position, digit, CELL_HOUSES[first, kind], rectangle)
                    held = held and confined(position, digit, CELL_HOUSES[second, kind], rectangle)
                if not held:
                    continue
                begin(out, limits[KEY], 0, pair, 4)
                put_removed(out, position, first, digit)
                put_removed(out, position, second, digit)
                put_corners(position, out, RECTANGLES[rectangle], 4)
                put_house(out, BASE, 1 << digit, CELL_HOUSES[first, 0])
                put_house(out, BASE, 1 << digit, CELL_HOUSES[second, 0])
                if commit(out, mode):
                    return


@kernel
def _pair_cells(position: State, pair: int, cells: Cells) -> int:
    """List the cells with both digits of `pair`, ascending in `cells`; returns how many, 0 if no loop can be
    long.

    A loop of six has more than two cells with other digits, which then are one digit, unless four have none.
    It has two cells in each of its houses, so a cell that is alone in one of its own is left out.
    """
    low = trailing_zeros(pair)
    high = trailing_zeros(pair & (pair - 1))
    count = 0
    for band in range(3):
        word = position[CELLS + 3 * low + band] & position[CELLS + 3 * high + band]
        while word:
            cells[count] = 27 * band + trailing_zeros(word)
            count += 1
            word &= word - 1
    exact = 0
    extras = 0  # five bits for each digit: the number of cells with it alone besides the pair
    for index in range(count):
        extra = position[CANDIDATES + cells[index]] & ~pair
        exact += extra == 0
        if extra and extra & (extra - 1) == 0:
            extras += 1 << 5 * trailing_zeros(extra)
    if exact == 0 or count < 6:
        return 0
    if exact < 4:
        kept = 0
        for index in range(count):
            extra = position[CANDIDATES + cells[index]] & ~pair
            alike = extras >> 5 * trailing_zeros(extra) & 31 if extra else 6
            if extra & (extra - 1) == 0 and exact + alike >= 6:
                cells[kept] = cells[index]
                kept += 1
        count = kept
    alone = 1
    while alone and count >= 6:
        once = twice = 0
        for index in range(count):
            houses = _houses(cells[index])
            twice |= once & houses
            once |= houses
        alone = once & ~twice
        kept = 0
        for index in range(count if alone else 0):
            if not _houses(cells[index]) & alone:
                cells[kept] = cells[index]
                kept += 1
        count = kept if alone else count
    return count if count >= 6 else 0


@kernel
def scan_unique_loop(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find loops of six or more cells: each house contains none or two of them, of different parity."""
    seen = np.zeros(512, dtype=np.int8)
    cells = np.empty(81, dtype=np.int32)
    loop = np.empty(LONGEST + 1, dtype=np.int32)
    open_cells = np.empty(3, dtype=np.int32)  # as words: the cells that loops from a cell may pass through
    waiting = np.empty((LONGEST + 2, 3), dtype=np.int32)  # likewise: where the search continues
    barred = np.zeros((LONGEST + 2, 2, 3), dtype=np.int32)  # likewise: what shares a house with either parity
    met = np.zeros((LONGEST + 2, 2), dtype=np.int32)  # 27 bits: houses with cells of either parity
    extras = np.zeros(LONGEST + 2, dtype=np.int32)  # mask of all extra digits so far
    roofs = np.zeros(LONGEST + 2, dtype=np.int32)
    nodes = 0
    for origin in range(81):
        pair = position[CANDIDATES + origin]
        if count_ones(pair) != 2 or seen[pair]:
            continue
        seen[pair] = 1
        count = _pair_cells(position, pair, cells)
        for start in range(count):
            # Each loop is found from its lowest bivalue cell, in one direction.
            if position[CANDIDATES + cells[start]] != pair:
                continue
            length = 1
            loop[0] = cells[start]
            open_cells[:] = 0
            for at in range(count):
                if cells[at] > cells[start] or position[CANDIDATES + cells[at]] != pair:
                    open_cells[cells[at] // 27] |= 1 << cells[at] % 27
            for band in range(3):
                barred[1, 0, band] = PEER_WORDS[cells[start], band]
                waiting[1, band] = PEER_WORDS[cells[start], band] & open_cells[band]
            met[1, 0] = _houses(cells[start])
            met[1, 1] = 0
            extras[1] = 0
            roofs[1] = 0
            while length:
                band = 0 if waiting[length, 0] else (1 if waiting[length, 1] else 2)
                rest = waiting[length, band]
                if rest == 0 or length == LONGEST:
                    length -= 1
                    continue
                waiting[length, band] = rest & (rest - 1)
                cell = 27 * band + trailing_zeros(rest)
                mask = position[CANDIDATES + cell]
                nodes += 1
                if nodes > limits[BOUND]:
                    out[FULL] = PAST_BOUND
                    return
                more = roofs[length] + (mask != pair)
                union = extras[length] | mask & ~pair
                if more > 2 and union & (union - 1):
                    continue
                parity = length % 2
                loop[length] = cell
                length += 1
                for band in range(3):
                    barred[length, parity, band] = barred[length - 1, parity, band] | PEER_WORDS[cell, band]
                    barred[length, 1 - parity, band] = barred[length - 1, 1 - parity, band]
                barred[length, parity, cell // 27] |= 1 << cell % 27
                for band in range(3):
                    waiting[length, band] = (
                        PEER_WORDS[cell, band] & open_cells[band] & ~barred[length, 1 - parity, band]
                    )
                met[length, parity] = met[length - 1, parity] | _houses(cell)
                met[length, 1 - parity] = met[length - 1, 1 - parity]
                extras[length] = union
                roofs[length] = more
                if (
                    length >= 6
                    and met[length, 0] == met[length, 1]
                    and SEES[cell, loop[0]]
                    and loop[1] < cell
                    and _try_loop(Loop(position, limits, mode, out, loop, length, int(pair)))
                ):
                    return


@kernel
def _houses(cell: int) -> int:
    """Return the three houses of a cell as 27 bits."""
    return int(1 << CELL_HOUSES[cell, 0] | 1 << CELL_HOUSES[cell, 1] | 1 << CELL_HOUSES[cell, 2])


# No limit: a finite list of rectangles.
_rectangle = partial(
    Technique,
    scan=scan_unique_rectangle,
    family=Family.UNIQUENESS,
    tier=4,
    bound=SHORT,
    needs_unique=True,
)
_AS_EXPLAINER: Final = {"explainer": {"missing": 0, "kinds": AS_EXPLAINER}}
_WITH_SUBSETS: Final = {"explainer": {"missing": 0, "kinds": AS_EXPLAINER}, "hodoku": {"kinds": AS_HODOKU}}

ENTRIES: Final = (
    _rectangle(
        "unique_rectangle_1", N_("Unique Rectangle Type 1"), limits={"missing": 1}, paths=_AS_EXPLAINER
    ),
    _rectangle(
        "unique_rectangle_2", N_("Unique Rectangle Type 2"), limits={"missing": 1}, paths=_AS_EXPLAINER
    ),
    _rectangle(
        "unique_rectangle_3",
        N_("Unique Rectangle Type 3"),
        traits=Trait.OF_A_SUBSET,
        limits={"missing": 1, "kinds": AS_EXPLAINER | AS_HODOKU},
        paths=_WITH_SUBSETS,
    ),
    _rectangle(
        "unique_rectangle_4",
        N_("Unique Rectangle Type 4"),
        limits={"missing": 1, "kinds": AS_EXPLAINER | AS_HODOKU},
        paths=_WITH_SUBSETS,
    ),
    _rectangle(
        "unique_rectangle_5",
        N_("Unique Rectangle Type 5"),
        template_name="unique_rectangle_2",
        limits={"missing": 1},
        paths=_AS_EXPLAINER,
        rare=True,
    ),
    _rectangle(
        "unique_rectangle_6",
        N_("Unique Rectangle Type 6"),
        scan=scan_unique_rectangle_6,
        limits={"missing": 1},
    ),
    Technique(
        "unique_loop",
        N_("Unique Loop"),
        scan=scan_unique_loop,
        family=Family.UNIQUENESS,
        tier=5,
        bound=1_000_000,  # cells tried
        needs_unique=True,
        limits={"kinds": AS_EXPLAINER | AS_HODOKU},
        paths={"explainer": {"kinds": AS_EXPLAINER}},
    ),
)
