"""Exocets: two base cells of a box and two target cells with the same digits.

Three lines across the base cells need each of their digits, and cells other than the targets have space for
it on at most two of these lines. The targets of a Junior Exocet are in the boxes beside the base cells; in a
Senior Exocet one or both are further out on the three lines.
"""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.bits import count_ones
from ...kernels.state import CANDIDATES, DIGITS, State
from ...kernels.steps import Steps, begin, commit, put_cell, put_house, put_removed_mask
from ...kernels.tables import ALL_DIGITS
from ..entry import BASE, N_, PINCER, PIVOT, SHORT, Family, Technique
from ..limits import KEY, KINDS, Limits

Row = NDArray[np.int32]
Places = NDArray[np.int32]  # [9, 9] lines outside the chute, as bits, by the line across it and the digit

FEWEST: Final = 3  # digits of the bases: two in both are a naked pair
MOST: Final = 4
SENIOR: Final = 1  # value of limits[KINDS]


@kernel
def _cell(along: int, across: int, turned: bool) -> int:
    """Return the cell where a line along the chute crosses another one; turned: the chute is a stack."""
    return 9 * across + along if turned else 9 * along + across


@kernel
def _held(position: State, cell: int) -> int:
    """Return the candidates of a cell, or the placed digit, as a mask."""
    digit = position[DIGITS + cell]
    return int(1 << digit - 1 if digit else position[CANDIDATES + cell])


@kernel
def _find_beyond(position: State, chute: int, turned: bool, beyond: Places) -> None:
    """Fill `beyond`: where outside the chute each line across it has each digit."""
    beyond[:] = 0
    for along in range(9):
        if along // 3 != chute:
            for across in range(9):
                held = _held(position, _cell(along, across, turned))
                for digit in range(9):
                    beyond[across, digit] |= (held >> digit & 1) << along


@kernel
def lacks_room(one: int, two: int, three: int) -> bool:
    """Whether a digit can't be outside the chute on all of three lines across it.

    The arguments are its possible places, as lines along the chute; it can't if two lines in all cover the
    places, each along or across.
    """
    if one == 0 or two == 0 or three == 0 or count_ones(one | two | three) <= 2:
        return True
    return min(count_ones(one | two), count_ones(one | three), count_ones(two | three)) <= 1


@kernel
def _covered(beyond: Places, across: Row, spared: Row, digits: int) -> bool:
    """Whether each of the digits lacks space outside the chute.

    spared: for each line across, the lines along the chute where it has a target, as bits.
    """
    for digit in range(9):
        if digits >> digit & 1 and not lacks_room(
            beyond[across[0], digit] & ~spared[0],
            beyond[across[1], digit] & ~spared[1],
            beyond[across[2], digit] & ~spared[2],
        ):
            return False
    return True


@kernel
def _target(position: State, digits: int, line: int, across: int, turned: bool, turn: int) -> int:
    """Return the first or second (turn 0, 1) cell of a line across, off the bases' line, if it can be a
    target.

    It has some of the digits, and the other one, its companion, has none. -1 if it can't.
    """
    chute = line // 3 * 3
    target = _cell(chute + (line + 1 + turn) % 3, across, turned)
    companion = _cell(chute + (line + 2 - turn) % 3, across, turned)
    fits = position[CANDIDATES + target] & digits and not _held(position, companion) & digits
    return target if fits else -1


@kernel
def _is_bare(position: State, digits: int, line: int, across: int, turned: bool) -> bool:
    """Whether neither cell of a line across, off the bases' line, has any of the digits."""
    chute = line // 3 * 3
    one = _held(position, _cell(chute + (line + 1) % 3, across, turned))
    return not (one | _held(position, _cell(chute + (line + 2) % 3, across, turned))) & digits


@kernel
def _put(
    position: State,
    limits: Limits,
    bases: Row,
    targets: Row,
    digits: int,
    across: Row,
    turned: bool,
    out: Steps,
) -> None:
    """Write the step of two bases and two targets, without commit."""
    begin(out, limits[KEY], 0, digits, count_ones(digits))
    reached = position[CANDIDATES + targets[0]] | position[CANDIDATES + targets[1]]
    for index in range(2):
        put_removed_mask(out, position, targets[index], ALL_DIGITS & ~digits)
    for index in range(2):
        put_removed_mask(out, position, bases[index], digits & ~reached)
    for index in range(2):
        put_cell(out, PIVOT, position[CANDIDATES + bases[index]], bases[index])
    for index in range(2):
        put_cell(out, PINCER, position[CANDIDATES + targets[index]] & digits, targets[index])
    for index in range(3):
        put_house(out, BASE, digits, across[index] if turned else 9 + across[index])


@kernel
def _scan_bases(
    position: State, limits: Limits, line: int, free: int, turned: bool, beyond: Places, mode: int, out: Steps
) -> bool:
    """Find exocets whose bases are the cells of a line in a box, except its place `free`; returns commit's
    result.
    """
    bases = np.empty(2, dtype=np.int32)
    targets = np.empty(2, dtype=np.int32)
    across = np.empty(3, dtype=np.int32)
    box = free // 3 * 3
    for index in range(2):
        bases[index] = _cell(line, box + (free + 1 + index) % 3, turned)
    one, two = position[CANDIDATES + bases[0]], position[CANDIDATES + bases[1]]
    digits = one | two
    if one == 0 or two == 0 or not FEWEST <= count_ones(digits) <= MOST:
        return False
    spared = np.zeros(3, dtype=np.int32)
    across[0] = free
    for number in range(9):
        across[1], across[2] = (box + 3) % 9 + number // 3, (box + 6) % 9 + number % 3
        if limits[KINDS] != SENIOR and not _covered(beyond, across, spared, digits):
            continue
        for turns in range(9):
            near = 0  # targets in the boxes beside the bases
            fits = True
            for index in range(2):
                turn = turns // 3 if index == 0 else turns % 3
                if turn == 2:
                    fits = fits and _is_bare(position, digits, line, across[1 + index], turned)
                    continue
                targets[near] = _target(position, digits, line, across[1 + index], turned, turn)
                fits = fits and targets[near] >= 0
                near += 1
            if not fits or (near < 2) != (limits[KINDS] == SENIOR):
                continue
            if _scan_targets(
                position, limits, bases, targets, near, digits, across, line // 3, turned, beyond, mode, out
            ):
                return True
    return False


@kernel
def _scan_targets(
    position: State,
    limits: Limits,
    bases: Row,
    targets: Row,
    near: int,
    digits: int,
    across: Row,
    chute: int,
    turned: bool,
    beyond: Places,
    mode: int,
    out: Steps,
) -> bool:
    """Find exocets of two bases and the near targets, the others being further out; returns commit's
    result.
    """
    spared = np.empty(3, dtype=np.int32)
    places = 1 if near == 2 else 27 if near == 1 else 27 * 27
    for pair in range(places):
        spared[:] = 0
        fits = True
        last = -1
        for index in range(near, 2):
            place = pair % 27 if index == 1 else pair // 27
            along = place % 9
            target = _cell(along, across[place // 9], turned)
            fits = (
                fits and place > last and along // 3 != chute and position[CANDIDATES + target] & digits != 0
            )
            last = place
            targets[index] = target
            spared[place // 9] |= 1 << along
        if fits and _covered(beyond, across, spared, digits):
            _put(position, limits, bases, targets, digits, across, turned, out)
            if commit(out, mode):
                return True
    return False


@kernel
def scan_exocet(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find bases whose digits two lines cover, outside the chute and the targets, on three lines across.

    The lines across need each digit of the bases, and outside the chute there is space for at most two,
    except the targets of a SENIOR. Inside it only targets can have it. So these take the digits of the bases,
    and nothing else.
    """
    beyond = np.empty((9, 9), dtype=np.int32)
    for chute in range(6):
        turned = chute >= 3
        _find_beyond(position, chute % 3, turned, beyond)
        for number in range(27):
            line = 3 * (chute % 3) + number // 9
            if _scan_bases(position, limits, line, number % 9, turned, beyond, mode, out):
                return


_exocet = partial(
    Technique,
    scan=scan_exocet,
    family=Family.ALMOST_LOCKED_SETS,
    tier=5,
    bound=SHORT,  # finite lists of bases and targets
    rare=True,
)

ENTRIES: Final = (
    _exocet("junior_exocet", N_("Junior Exocet")),
    _exocet("senior_exocet", N_("Senior Exocet"), limits={"kinds": SENIOR}, on_request=True),
)
