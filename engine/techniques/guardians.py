"""Broken wings: an odd loop in which a digit would have two places in each house, but for its guardians."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bits import count_ones, trailing_zeros
from engine.kernels.state import CELLS, PLACES, State
from engine.kernels.steps import (
    FULL,
    PAST_BOUND,
    Steps,
    begin,
    commit,
    put_cell,
    put_cells,
    put_house,
    put_placed,
    put_removed_cells,
)
from engine.kernels.tables import CELL_HOUSES, HOUSE_CELLS, HOUSE_WORDS, PEER_WORDS
from engine.techniques.entry import BASE, FIN, N_, PATTERN, Family, Technique
from engine.techniques.limits import BOUND, KEY, LINKS, Limits

Row = NDArray[np.int32]

SHORTEST: Final = 5  # cells of a loop
LONGEST: Final = 9

# What is known at each cell of a loop, three words each: the guardians so far, and what sees them all.
_GUARDIANS: Final = 0
_SEEN: Final = 3
_WIDTH: Final = 6


@kernel
def _add_link(
    position: State, digit: int, house: int, one: int, two: int, known: Row, at: int, to: int
) -> bool:
    """Write what is known at `at`, and the guardians of a link, to `to`; whether more can be found."""
    for band in range(3):
        rest = position[CELLS + 3 * digit + band] & HOUSE_WORDS[house, band]
        if one // 27 == band:
            rest &= ~(1 << one % 27)
        if two // 27 == band:
            rest &= ~(1 << two % 27)
        known[to + _GUARDIANS + band] = known[at + _GUARDIANS + band] | rest
        known[to + _SEEN + band] = known[at + _SEEN + band]
    count = 0
    for band in range(3):
        guardians = known[to + _GUARDIANS + band]
        count += count_ones(guardians)
        while guardians:
            cell = 27 * band + trailing_zeros(guardians)
            for other in range(3):
                known[to + _SEEN + other] &= PEER_WORDS[cell, other]
            guardians &= guardians - 1
    return count <= 1 or known[to + _SEEN] | known[to + _SEEN + 1] | known[to + _SEEN + 2] != 0


@kernel
def _guards(known: Row, at: int, cell: int) -> bool:
    """Whether the cell is a guardian of what is known at `at`."""
    return bool(known[at + _GUARDIANS + cell // 27] >> (cell % 27) & 1)


@kernel
def _put_loop(
    position: State,
    limits: Limits,
    digit: int,
    loop: Row,
    houses: Row,
    length: int,
    known: Row,
    at: int,
    out: Steps,
) -> None:
    """Write the step of a loop, without commit: one of its guardians is true."""
    begin(out, limits[KEY], 0, 1 << digit, length)
    count = 0
    last = 0
    for band in range(3):
        guardians = known[at + _GUARDIANS + band]
        count += count_ones(guardians)
        if guardians:
            last = 27 * band + trailing_zeros(guardians)
    if count == 1:
        put_placed(out, last, digit)
    elif count:
        for band in range(3):
            put_removed_cells(out, position, digit, band, known[at + _SEEN + band])
    for index in range(length):
        put_cell(out, PATTERN, 1 << digit, loop[index])
    for band in range(3):
        put_cells(out, FIN, 1 << digit, band, known[at + _GUARDIANS + band])
    for index in range(length):
        put_house(out, BASE, 1 << digit, houses[index])


@kernel
def _scan_length(position: State, limits: Limits, digit: int, length: int, mode: int, out: Steps) -> bool:
    """All loops of a length from their lowest cell, the second below the last; commit's answer."""
    loop = np.empty(LONGEST, dtype=np.int32)
    houses = np.empty(LONGEST, dtype=np.int32)
    tried = np.empty(LONGEST, dtype=np.int32)  # the next way on from each cell: 9 * kind of house + place
    known = np.zeros((LONGEST + 1) * _WIDTH, dtype=np.int32)
    nodes = 0
    for start in range(81):
        if not position[CELLS + 3 * digit + start // 27] >> (start % 27) & 1:
            continue
        loop[0] = start
        tried[0] = 0
        for band in range(3):
            known[_GUARDIANS + band] = 0
            known[_SEEN + band] = position[CELLS + 3 * digit + band]
        depth = 0
        while depth >= 0:
            way = tried[depth]
            if way == 27:
                depth -= 1
                continue
            tried[depth] += 1
            last = loop[depth]
            house = CELL_HOUSES[last, way // 9]
            if depth == length - 1:  # close the loop, by each house that its ends share
                if way % 9 or loop[1] > last or CELL_HOUSES[start, way // 9] != house:
                    continue
            elif not position[PLACES + 27 * digit + house] >> way % 9 & 1:
                continue
            cell = start if depth == length - 1 else HOUSE_CELLS[house, way % 9]
            if depth < length - 1 and (cell <= start or _guards(known, depth * _WIDTH, cell)):
                continue
            used = False
            for index in range(1, depth + 1):
                used = used or loop[index] == cell
            for index in range(depth):
                used = used or houses[index] == house
            if used:
                continue
            nodes += 1
            if nodes > limits[BOUND]:
                out[FULL] = PAST_BOUND
                return True
            to = (depth + 1) * _WIDTH
            if not _add_link(position, digit, house, last, cell, known, depth * _WIDTH, to):
                continue
            fits = True
            for index in range(depth + 1):
                fits = fits and not _guards(known, to, loop[index])
            if not fits:
                continue
            houses[depth] = house
            if depth < length - 1:
                depth += 1
                loop[depth] = cell
                tried[depth] = 0
                continue
            _put_loop(position, limits, digit, loop, houses, length, known, to, out)
            if commit(out, mode):
                return True
    return False


@kernel
def scan_broken_wing(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find loops of 5, 7, ... cells, each sharing a house with the next; a digit cannot alternate along them.

    So some house of the loop has the digit elsewhere, at a guardian: what sees all guardians loses it, and a
    single one is placed. Past limits[BOUND] links tried for a length of a digit FULL is raised.
    """
    for length in range(SHORTEST, limits[LINKS] + 1, 2):
        for digit in range(9):
            if _scan_length(position, limits, digit, length, mode, out):
                return


ENTRIES: Final = (
    Technique(
        "broken_wing",
        N_("Broken Wing"),
        scan=scan_broken_wing,
        family=Family.SINGLE_DIGIT,
        tier=5,
        bound=2_000_000,  # links tried
        limits={"links": LONGEST},
        paths={"logic": {"links": 7}},
    ),
)
