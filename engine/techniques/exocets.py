"""Junior Exocet: two base cells of a box and two target cells of the boxes beside it hold the same digits."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bits import count_ones
from engine.kernels.state import CANDIDATES, DIGITS, State
from engine.kernels.steps import Steps, begin, commit, put_cell, put_house, put_removed_mask
from engine.kernels.tables import ALL_DIGITS
from engine.techniques.entry import BASE, N_, PINCER, PIVOT, SHORT, Family, Technique
from engine.techniques.limits import KEY, Limits

Row = NDArray[np.int32]


@kernel
def _cell(line: int, across: int, turned: bool) -> int:
    """The cell where a line along the chute meets one across it; turned: the chute is a stack."""
    return 9 * across + line if turned else 9 * line + across


@kernel
def _beyond(position: State, digit: int, band: int, across: int, turned: bool) -> int:
    """The lines outside the chute, as bits, on which a line across it has the digit or may have it."""
    found = 0
    for line in range(9):
        if line // 3 != band:
            cell = _cell(line, across, turned)
            if position[CANDIDATES + cell] >> digit & 1 or position[DIGITS + cell] == digit + 1:
                found |= 1 << line
    return found


@kernel
def _is_target(
    position: State, digits: int, band: int, line: int, target: int, across: int, turned: bool
) -> bool:
    """Whether the cell on line `target` can be the target: open to the digits, which its companion is not."""
    mask = position[CANDIDATES + _cell(target, across, turned)]
    companion = _cell(3 * (3 * band + 1) - line - target, across, turned)
    printed = position[DIGITS + companion]
    held = position[CANDIDATES + companion] | (1 << printed - 1 if printed else 0)
    return bool(mask & digits) and not held & digits


@kernel
def _try_targets(
    position: State,
    limits: Limits,
    bases: Row,
    targets: Row,
    digits: int,
    crossing: Row,
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
        put_house(out, BASE, digits, crossing[index] if turned else 9 + crossing[index])


@kernel
def _scan_bases(
    position: State, limits: Limits, band: int, line: int, free: int, turned: bool, mode: int, out: Steps
) -> bool:
    """The exocets whose bases are the cells of a line in a box, but for its place `free`; commit's answer."""
    bases = np.empty(2, dtype=np.int32)
    targets = np.empty(2, dtype=np.int32)
    crossing = np.empty(3, dtype=np.int32)
    count = 0
    digits = 0
    for across in range(free // 3 * 3, free // 3 * 3 + 3):
        if across != free:
            bases[count] = _cell(line, across, turned)
            if position[CANDIDATES + bases[count]] == 0:
                return False
            digits |= position[CANDIDATES + bases[count]]
            count += 1
    if count_ones(digits) < 3 or count_ones(digits) > 4:
        return False
    crossing[0] = free
    one_box, two_box = (free // 3 + 1) % 3, (free // 3 + 2) % 3
    for number in range(9):
        crossing[1], crossing[2] = 3 * one_box + number // 3, 3 * two_box + number % 3
        covered = True
        for digit in range(9):
            if digits >> digit & 1:
                lines = 0
                for index in range(3):
                    lines |= _beyond(position, digit, band, crossing[index], turned)
                covered = covered and count_ones(lines) <= 2
        if not covered:
            continue
        for one in range(3 * band, 3 * band + 3):
            if one == line or not _is_target(position, digits, band, line, one, crossing[1], turned):
                continue
            for two in range(3 * band, 3 * band + 3):
                if two == line or not _is_target(position, digits, band, line, two, crossing[2], turned):
                    continue
                targets[0], targets[1] = _cell(one, crossing[1], turned), _cell(two, crossing[2], turned)
                _try_targets(position, limits, bases, targets, digits, crossing, turned, out)
                if commit(out, mode):
                    return True
    return False


@kernel
def scan_junior_exocet(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find bases whose digits the lines across the targets have on two lines outside the chute.

    The three lines across each need a digit of the bases, and two of them at most have it outside the chute.
    Inside there is but the targets for it: so they take the digits of the bases, and nothing else.
    """
    for number in range(2 * 9 * 9):
        line, free = number % 81 // 9, number % 9
        if _scan_bases(position, limits, line // 3, line, free, number >= 81, mode, out):
            return


ENTRIES: Final = (
    Technique(
        "junior_exocet",
        N_("Junior Exocet"),
        scan=scan_junior_exocet,
        family=Family.ALMOST_LOCKED_SETS,
        tier=5,
        bound=SHORT,  # the bases are listed
    ),
)
