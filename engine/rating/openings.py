"""The openings along a path: the singles open at each step, over many orders of solving.

After Pelanek's SiSuS model (FLAIRS 2011): fill one of the open singles, easier ones being more likely; if
none is open, fill the cell whose wrong candidates are refuted soonest. The orders are drawn from a fixed
seed, so a puzzle always has the same result.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.rng import below, seeded
from ..kernels.state import CANDIDATES, CELLS, DIGITS, LEFT, PLACES, STATE_SIZE, State, copy_to, place
from ..kernels.tables import CELL_HOUSES, HOUSE_CELLS, PEER_WORDS

RUNS: Final = 6
FEW_RUNS: Final = 2  # enough for the openings without the expected time
STEPS: Final = 64  # no puzzle with one solution has more empty cells
SEED: Final = 20_110_518
_DRAWS: Final = seeded(SEED)

# Columns of a log, a row a step, each a mean over the runs that got so far.
OPEN: Final = 0  # cells that a single fills
EFFORT: Final = 1  # effort to see one: 1 / (2 * in a box + else in a line + 0.3 * else naked)
REACHED: Final = 2  # share of the runs that reached this step
COLUMNS: Final = 3

NO_SINGLE: Final = 4.0  # the effort of a step without an open single
_FAR: Final = 12  # a refutation beyond the reach of singles
_PARTS: Final = 1 << 20  # resolution of the random draws

# The places of singles, as bits: for each digit the houses with one place left, for each band the cells with
# one candidate left.
_NAKED_IN: Final = 9
LONE_SIZE: Final = _NAKED_IN + 3

# The weight of a single: this for each house that shows it, divided by the house's empty cells.
_BOX: Final = 4.0
_LINE: Final = 1.0
_NAKED: Final = 0.25


class Singles(NamedTuple):
    """The singles of a position, and what makes them easy to see."""

    lone: NDArray[np.int32]  # [LONE_SIZE]: their places, as above
    empty: NDArray[np.int32]  # [27]: the empty cells of each house
    cells: NDArray[np.int32]  # [81]: the cells that a single fills, in the order seen
    # [81, 2]: for each of them what shows it (1 a box, 2 a line, 4 the cell itself, added) and the digit 0..8
    shows: NDArray[np.int32]
    ease: NDArray[np.float64]  # [81, 3]: of boxes, lines and the cell; stale if shows is 0


@kernel
def _begin(position: State, singles: Singles) -> None:
    """Fill `lone` and `empty` for a position."""
    lone, empty = singles.lone, singles.empty
    lone[:] = 0
    for digit in range(9):
        _find_lone_places(position, digit, (1 << 27) - 1, lone)
    empty[:] = 0
    for cell in range(81):
        _find_lone_candidate(position, cell, lone)
        for kind in range(3 if position[DIGITS + cell] == 0 else 0):
            empty[CELL_HOUSES[cell, kind]] += 1


@kernel
def _find_lone_places(position: State, digit: int, houses: int, lone: NDArray[np.int32]) -> None:
    """Update `lone` for a digit in these houses, as bits."""
    found = 0
    rest = houses
    while rest:
        house = trailing_zeros(rest)
        rest &= rest - 1
        places = position[PLACES + 27 * digit + house]
        if places and not places & (places - 1):
            found |= 1 << house
    lone[digit] = lone[digit] & ~houses | found


@kernel
def _find_lone_candidate(position: State, cell: int, lone: NDArray[np.int32]) -> None:
    """Update `lone` for a cell."""
    mask = position[CANDIDATES + cell]
    bit = 1 << cell % 27
    if mask and not mask & (mask - 1):
        lone[_NAKED_IN + cell // 27] |= bit
    else:
        lone[_NAKED_IN + cell // 27] &= ~bit


@kernel
def _fill(position: State, cell: int, digit: int, singles: Singles) -> None:
    """Place a digit, and update `empty` and `lone`."""
    lone, empty = singles.lone, singles.empty
    cells = CELLS + 3 * digit
    top = position[cells] & PEER_WORDS[cell, 0]
    middle = position[cells + 1] & PEER_WORDS[cell, 1]
    bottom = position[cells + 2] & PEER_WORDS[cell, 2]
    others = position[CANDIDATES + cell] & ~(1 << digit)
    place(position, cell, digit)
    houses = 0
    for kind in range(3):
        empty[CELL_HOUSES[cell, kind]] -= 1
        houses |= 1 << CELL_HOUSES[cell, kind]
    while others:
        _find_lone_places(position, trailing_zeros(others), houses, lone)
        others &= others - 1
    for band in range(3):
        rest = top if band == 0 else middle if band == 1 else bottom
        while rest:
            peer = 27 * band + trailing_zeros(rest)
            rest &= rest - 1
            houses |= 1 << CELL_HOUSES[peer, 0] | 1 << CELL_HOUSES[peer, 1] | 1 << CELL_HOUSES[peer, 2]
            _find_lone_candidate(position, peer, lone)
    _find_lone_places(position, digit, houses, lone)
    _find_lone_candidate(position, cell, lone)


@kernel
def _look(position: State, count: int, singles: Singles) -> int:
    """Find the cells that a single fills; returns their number. count: their previous number."""
    lone, empty, cells = singles.lone, singles.empty, singles.cells
    shows, ease = singles.shows, singles.ease
    for index in range(count):
        shows[cells[index], 0] = 0
    count = 0
    for digit in range(9):
        rest = lone[digit]
        while rest:
            house = trailing_zeros(rest)
            rest &= rest - 1
            cell = HOUSE_CELLS[house, trailing_zeros(position[PLACES + 27 * digit + house])]
            if shows[cell, 0] == 0:
                _add_cell(cell, digit, count, singles)
                count += 1
            in_line = 1 if house < 18 else 0
            shows[cell, 0] |= 1 << in_line
            ease[cell, in_line] += 1.0 / empty[house]
    for band in range(3):
        rest = lone[_NAKED_IN + band]
        while rest:
            cell = 27 * band + trailing_zeros(rest)
            rest &= rest - 1
            if shows[cell, 0] == 0:
                _add_cell(cell, trailing_zeros(position[CANDIDATES + cell]), count, singles)
                count += 1
            shows[cell, 0] |= 4
            fullest = min(
                empty[CELL_HOUSES[cell, 0]], empty[CELL_HOUSES[cell, 1]], empty[CELL_HOUSES[cell, 2]]
            )
            ease[cell, 2] = 1.0 / fullest
    return count


@kernel
def _add_cell(cell: int, digit: int, count: int, singles: Singles) -> None:
    """Record in entry `count` that a single fills `cell`."""
    singles.cells[count] = cell
    singles.shows[cell, 1] = digit
    for way in range(3):
        singles.ease[cell, way] = 0.0


@kernel
def _refutation(position: State, now: State, cell: int, digit: int, most: int) -> int:
    """Return how many waves of singles until the wrong `digit` in `cell` breaks the position, at most
    `most`.
    """
    copy_to(position, now)
    place(now, cell, digit)
    for wave in range(1, most):
        moved = False
        for other in range(81):
            mask = now[CANDIDATES + other]
            if now[DIGITS + other] == 0 and mask == 0:
                return wave
            if mask and not mask & (mask - 1):
                place(now, other, trailing_zeros(mask))
                moved = True
        if wave == most - 1:  # a digit placed now comes too late to break a cell
            break
        for index in range(9 * 27):
            places = now[PLACES + index]
            if places and not places & (places - 1):
                place(now, HOUSE_CELLS[index % 27, trailing_zeros(places)], index // 27)
                moved = True
        if not moved:
            break
    return most


@kernel
def _soonest_refuted(position: State, now: State, solution: NDArray[np.uint8]) -> int:
    """Return the cell of `position` whose wrong candidates are refuted soonest, each within _FAR waves."""
    best = -1
    least = 1 << 20
    for size in range(2, 10):  # few candidates are refuted soon, which cuts the rest short
        for cell in range(81):
            mask = position[CANDIDATES + cell]
            if count_ones(mask) != size:
                continue
            total = size - 1  # each takes at least one wave
            enough = least + 1 if cell < best else least
            while mask and total < enough:
                digit = trailing_zeros(mask)
                mask &= mask - 1
                if digit + 1 != solution[cell]:
                    total += _refutation(position, now, cell, digit, min(_FAR, enough - total + 1)) - 1
            if total < enough:
                best, least = cell, total
    return best


@kernel
def watch(
    position: State,
    solution: NDArray[np.uint8],
    runs: int,
    draws: NDArray[np.uint64],
    log: NDArray[np.float64],
) -> None:
    """Fill `log`, float64[STEPS, COLUMNS], from `runs` orders of solving `position`; mutates `draws` too."""
    log[:] = 0
    lone, empty = np.empty(LONE_SIZE, dtype=np.int32), np.empty(27, dtype=np.int32)
    cells, shows = np.zeros(81, dtype=np.int32), np.zeros((81, 2), dtype=np.int32)
    ease, likely = np.zeros((81, 3)), np.empty(81)
    singles = Singles(lone, empty, cells, shows, ease)
    count = 0
    state = np.empty(STATE_SIZE, dtype=np.int32)
    now = np.empty(STATE_SIZE, dtype=np.int32)
    # Whatever the order, filling singles ends in the same position, so every run refutes the same cells then.
    refuted = np.empty(STEPS, dtype=np.int32)
    known = 0
    for _ in range(runs):
        copy_to(position, state)
        _begin(position, singles)
        step = 0
        stuck = 0
        while state[LEFT] and step < STEPS:
            count = _look(state, count, singles)
            log[step, REACHED] += 1
            if count == 0:
                log[step, EFFORT] += NO_SINGLE
                if stuck == known:
                    refuted[stuck] = _soonest_refuted(state, now, solution)
                    known += 1
                wanted = int(solution[refuted[stuck]]) - 1  # as uint8 it would overflow when shifted
                _fill(state, refuted[stuck], wanted, singles)
                stuck += 1
                step += 1
                continue
            in_box = 0
            in_line = 0
            total = 0.0
            for index in range(count):
                cell = cells[index]
                in_box += shows[cell, 0] & 1
                in_line += shows[cell, 0] >> 1 & ~shows[cell, 0] & 1
                likely[index] = _BOX * ease[cell, 0] + _LINE * ease[cell, 1] + _NAKED * ease[cell, 2]
                total += likely[index]
            log[step, OPEN] += count
            log[step, EFFORT] += 1.0 / (2.0 * in_box + in_line + 0.3 * (count - in_box - in_line))
            point = total * below(draws, _PARTS) / _PARTS
            chosen = cells[0]
            for index in range(count):
                chosen = cells[index] if point >= 0 else chosen
                point -= likely[index]
            _fill(state, chosen, shows[chosen, 1], singles)
            step += 1
    for step in range(STEPS):
        if log[step, REACHED]:
            for column in range(REACHED):
                log[step, column] /= log[step, REACHED]
            log[step, REACHED] /= runs


def openings(position: State, solution: NDArray[np.uint8], runs: int = RUNS) -> NDArray[np.float64]:
    """Return the log of `watch` for a position with that solution, uint8[81]; rows never reached are 0."""
    log = np.zeros((STEPS, COLUMNS))
    watch(position, solution, runs, _DRAWS.copy(), log)
    return log
