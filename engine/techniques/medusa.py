"""3D Medusa: nets of strong links of all digits, in cells and houses, in two colors, one of them true."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.order import stable_order
from ..kernels.state import CANDIDATES, CELLS, PLACES, State
from ..kernels.steps import Steps, begin, commit, put_cell, put_house, put_removed
from ..kernels.tables import CELL_HOUSES, HOUSE_CELLS, HOUSE_WORDS, PEER_WORDS
from .entry import BASE, COLOUR_A, COLOUR_B, FIN, N_, SHORT, SHOWN, Family, Technique, Trait
from .limits import KEY, Limits

Row = NDArray[np.int32]
Words = NDArray[np.int32]

NODES: Final = 729  # candidates, numbered 9 * cell + digit

# A step's variant. Both colors rule the candidates out; or a color is false, for one of these reasons.
TRAP: Final = 0
CLASH: Final = 1  # two of its candidates rule each other out
EMPTY_CELL: Final = 2  # it leaves a cell without candidates
EMPTY_HOUSE: Final = 3  # it leaves a digit without a place in a house


@kernel
def _other_end(position: State, candidate: int, way: int) -> int:
    """Return the candidate at the other end of a strong link in the cell (way 3) or a house; -1 without
    one.
    """
    cell, digit = candidate // 9, candidate % 9
    if way == 3:
        mask = int(position[CANDIDATES + cell])
        return 9 * cell + trailing_zeros(mask & ~(1 << digit)) if count_ones(mask) == 2 else -1
    house = CELL_HOUSES[cell, way]
    places = int(position[PLACES + 27 * digit + house])
    if count_ones(places) != 2:
        return -1
    other = int(HOUSE_CELLS[house, trailing_zeros(places)])
    if other == cell:
        other = int(HOUSE_CELLS[house, trailing_zeros(places & (places - 1))])
    return 9 * other + digit


@kernel
def _colour(position: State, start: int, colours: Row, net: Row) -> int:
    """Color everything linked to `start` alternately 1 and 2, and list it in `net`; returns 0 for a clash."""
    net[0] = start
    colours[start] = 1
    length = 1
    index = 0
    clash = False
    while index < length:
        candidate = net[index]
        index += 1
        for way in range(4):
            other = _other_end(position, candidate, way)
            if other < 0:
                continue
            if colours[other] == 0:
                colours[other] = 3 - colours[candidate]
                net[length] = other
                length += 1
            clash = clash or colours[other] == colours[candidate]
    return 0 if clash else length


@kernel
def _rule_out(position: State, colours: Row, net: Row, length: int, left: Words) -> None:
    """Fill `left`, int32[3, 27], with the cells that each color leaves for a digit: three words a digit."""
    for colour in range(1, 3):
        for word in range(27):
            left[colour, word] = position[CELLS + word]
    for index in range(length):
        candidate = net[index]
        cell, digit, colour = candidate // 9, candidate % 9, colours[candidate]
        others = position[CANDIDATES + cell] & ~(1 << digit)
        while others:
            left[colour, 3 * trailing_zeros(others) + cell // 27] &= ~(1 << cell % 27)
            others &= others - 1
        for band in range(3):
            left[colour, 3 * digit + band] &= ~PEER_WORDS[cell, band]


@kernel
def _leaves(left: Words, colour: int, candidate: int) -> bool:
    """Whether a color leaves a candidate."""
    cell, digit = candidate // 9, candidate % 9
    return bool(left[colour, 3 * digit + cell // 27] >> cell % 27 & 1)


@kernel
def _digits_of(net: Row, length: int) -> int:
    """Return the digits of a net, as nine bits."""
    digits = 0
    for index in range(length):
        digits |= 1 << int(net[index]) % 9
    return digits


@kernel
def _put_net(colours: Row, net: Row, length: int, out: Steps) -> None:
    """Write the candidates of a net, by colors and cells."""
    order = stable_order(net[:length])
    for colour in range(1, 3):
        for index in order:
            if colours[net[index]] == colour:
                role = COLOUR_A if colour == 1 else COLOUR_B
                put_cell(out, role, 1 << net[index] % 9, net[index] // 9)


@kernel
def _put_links(position: State, net: Row, length: int, out: Steps) -> None:
    for index in range(length):
        cell, digit = net[index] // 9, net[index] % 9
        for way in range(3):
            if _other_end(position, net[index], way) > net[index]:
                put_house(out, BASE, 1 << digit, CELL_HOUSES[cell, way])


@kernel
def _put_trap(
    position: State, limits: Limits, colours: Row, net: Row, length: int, left: Words, out: Steps
) -> None:
    """Write the step of what both colors rule out, without commit."""
    begin(out, limits[KEY], TRAP, _digits_of(net, length), length)
    for cell in range(81):
        mask = position[CANDIDATES + cell]
        while mask:
            digit = trailing_zeros(mask)
            mask &= mask - 1
            if not _leaves(left, 1, 9 * cell + digit) and not _leaves(left, 2, 9 * cell + digit):
                put_removed(out, position, cell, digit)
    _put_net(colours, net, length, out)
    _put_links(position, net, length, out)


@kernel
def _traps(position: State, left: Words) -> bool:
    """Whether both colors rule some candidate out."""
    some = 0
    for word in range(27):
        some |= position[CELLS + word] & ~left[1, word] & ~left[2, word]
    return some != 0


@kernel
def _false_by(
    position: State, colours: Row, net: Row, length: int, left: Words, colour: int, spot: Row
) -> int:
    """Return why a color is false, as a variant, or TRAP. `spot` gets the cell, or digit and house."""
    for index in range(length):
        if colours[net[index]] == colour and not _leaves(left, colour, net[index]):
            return CLASH
    for band in range(3):
        gone = 0
        for digit in range(9):
            gone |= position[CELLS + 3 * digit + band]
        for digit in range(9):
            gone &= ~left[colour, 3 * digit + band]
        if gone:
            spot[0] = 27 * band + trailing_zeros(gone)
            return EMPTY_CELL
    for digit in range(9):
        for house in range(27):
            here = 0
            for band in range(3):
                here |= left[colour, 3 * digit + band] & HOUSE_WORDS[house, band]
            if here == 0 and position[PLACES + 27 * digit + house]:
                spot[0], spot[1] = digit, house
                return EMPTY_HOUSE
    return TRAP


@kernel
def _try_wrap(
    position: State, limits: Limits, colours: Row, net: Row, length: int, left: Words, colour: int, out: Steps
) -> bool:
    """Write the step of a false color, without commit; returns whether it is false."""
    spot = np.zeros(2, dtype=np.int32)
    why = _false_by(position, colours, net, length, left, colour, spot)
    if why == TRAP:
        return False
    begin(out, limits[KEY], why, _digits_of(net, length), length)
    for index in range(length):
        if colours[net[index]] == colour:
            put_removed(out, position, net[index] // 9, net[index] % 9)
    _put_net(colours, net, length, out)
    if why == EMPTY_CELL:
        put_cell(out, FIN, position[CANDIDATES + spot[0]], spot[0])
    _put_links(position, net, length, out)
    if why == EMPTY_HOUSE:
        put_house(out, BASE, 1 << spot[0], spot[1])
        put_house(out, SHOWN, 1 << spot[0], spot[1])
    return True


@kernel
def scan_medusa(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find nets of two or more digits: eliminate what both colors rule out, and false colors."""
    colours = np.zeros(NODES, dtype=np.int32)
    net = np.empty(NODES, dtype=np.int32)
    left = np.empty((3, 27), dtype=np.int32)
    for start in range(NODES):
        if colours[start] or not position[CANDIDATES + start // 9] >> start % 9 & 1:
            continue
        length = _colour(position, start, colours, net)
        if count_ones(_digits_of(net, length)) < 2:
            continue
        _rule_out(position, colours, net, length, left)
        wrapped = False
        for colour in range(1, 3):
            if _try_wrap(position, limits, colours, net, length, left, colour, out):
                wrapped = True
                if commit(out, mode):
                    return
        if not wrapped and _traps(position, left):
            _put_trap(position, limits, colours, net, length, left, out)
            if commit(out, mode):
                return


ENTRIES: Final = (
    Technique(
        "medusa",
        N_("3D Medusa"),
        scan=scan_medusa,
        family=Family.COLORING,
        tier=5,
        bound=SHORT,  # the colors of the candidates
        traits=Trait.STRONG_LINKS,
    ),
)
