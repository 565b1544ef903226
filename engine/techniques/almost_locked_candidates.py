"""Almost locked candidates: a set that is naked in one of two crossing houses and hidden in the other."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CANDIDATES, PLACES, State
from ..kernels.steps import Steps, begin, commit, put_house
from ..kernels.tables import ALL_DIGITS, HOUSE_CELLS, SHARED
from .entry import BASE, N_, PATTERN, PINCER, SHORT, SHOWN, Family, Technique, Trait
from .limits import KEY, SIZE, Limits
from .subsets import CHOICES, FROM, digits_in, put_chosen, remove_chosen


@kernel
def _put_step(
    position: State,
    limits: Limits,
    naked: int,
    chosen: int,
    hidden: int,
    keeping: int,
    digits: int,
    out: Steps,
) -> None:
    """Write the step of the cells `chosen` of house `naked` and `keeping` of the other, without commit."""
    crossing = SHARED[naked, hidden]
    begin(out, limits[KEY], 0, digits, count_ones(digits))
    remove_chosen(position, out, naked, ~(chosen | crossing), digits)
    remove_chosen(position, out, hidden, keeping, ALL_DIGITS & ~digits)
    put_chosen(position, out, PATTERN, naked, chosen, ALL_DIGITS)
    put_chosen(position, out, PINCER, hidden, keeping, digits)
    put_house(out, BASE, digits, hidden)
    put_house(out, SHOWN, digits, naked)


@kernel
def scan_almost_locked_candidates(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find n - 1 cells with n digits that have n - 1 places in a crossing house, besides the crossing.

    The crossing house places at least one of the digits where the two cross, and the n - 1 cells leave at
    most one for the rest of their house: so it is exactly one. Small sets come first.
    """
    sets = np.empty((27, len(CHOICES)), dtype=np.int32)
    counts = np.empty(27, dtype=np.int32)
    for size in range(2, limits[SIZE] + 1):
        for house in range(27):
            counts[house] = _find_sets(position, house, size, sets[house])
        for number in range(2 * 18 * 9):
            line, box = number // 2 // 9, 18 + number // 2 % 9
            naked, hidden = (line, box) if number % 2 == 0 else (box, line)
            crossing, same = SHARED[naked, hidden], SHARED[hidden, naked]  # of either house its places
            if crossing == 0:
                continue
            for index in range(counts[naked]):
                chosen = sets[naked, index]
                if chosen & crossing:
                    continue
                digits = digits_in(position, naked, chosen)
                # A placed digit needs no place.
                keeping = 0
                missing = False
                rest = digits
                while rest:
                    places = position[PLACES + 27 * trailing_zeros(rest) + hidden]
                    rest &= rest - 1
                    missing = missing or places == 0
                    keeping |= places & ~same
                if missing or count_ones(keeping) != size - 1:
                    continue
                if digits_in(position, naked, crossing) & digits == 0:
                    continue
                _put_step(position, limits, naked, chosen, hidden, keeping, digits, out)
                if commit(out, mode):
                    return


@kernel
def _find_sets(position: State, house: int, size: int, sets: NDArray[np.int32]) -> int:
    """Write to `sets` the choices of size - 1 cells of a house with `size` digits, ascending; returns how
    many.
    """
    few = 0  # cells with at most so many digits
    for index in range(9):
        mask = position[CANDIDATES + HOUSE_CELLS[house, index]]
        if mask and count_ones(mask) <= size:
            few |= 1 << index
    count = 0
    for choice in range(FROM[size - 1], FROM[size]):
        chosen = CHOICES[choice]
        if not chosen & ~few and count_ones(digits_in(position, house, chosen)) == size:
            sets[count] = chosen
            count += 1
    return count


ENTRIES: Final = (
    Technique(
        "almost_locked_candidates",
        N_("Almost Locked Candidates"),
        scan=scan_almost_locked_candidates,
        family=Family.ALMOST_LOCKED_SETS,
        tier=5,
        bound=SHORT,  # a finite list of crossings
        traits=Trait.PINCERS_APART,
        limits={"size": 4},
        paths={"logic": {"size": 3}},
    ),
)
