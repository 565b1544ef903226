"""Gurth's symmetrical placement: if the givens are symmetrical with digits relabeled, so is the solution."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.bits import count_ones
from ...kernels.state import CANDIDATES, DIGITS, GIVENS, State
from ...kernels.steps import Steps, begin, commit, put_cell, put_removed
from ..entry import N_, PATTERN, SHORT, Family, Technique, Trait
from ..limits import KEY, Limits

Images = NDArray[np.int32]  # [9] the image of each digit, -1 if it isn't known


def _images() -> list[list[int]]:
    """Return the image of each cell: rotated by 180 and 90 degrees, and reflected in each diagonal."""
    cells = [divmod(cell, 9) for cell in range(81)]
    return [
        [9 * (8 - row) + 8 - column for row, column in cells],
        [9 * column + 8 - row for row, column in cells],
        [9 * column + row for row, column in cells],
        [9 * (8 - column) + 8 - row for row, column in cells],
    ]


SYMMETRIES: Final[NDArray[np.int32]] = np.array(_images(), dtype=np.int32)


@kernel
def _find_images(position: State, symmetry: int, images: Images) -> bool:
    """Fill `images` from the givens; returns whether they are symmetrical.

    The one digit without a given maps to the one that no other digit maps to.
    """
    images[:] = -1
    taken = 0
    for cell in range(81):
        if not position[GIVENS + cell]:
            continue
        target = SYMMETRIES[symmetry, cell]
        if not position[GIVENS + target]:
            return False
        digit, image = position[DIGITS + cell] - 1, position[DIGITS + target] - 1
        if images[digit] < 0 and not taken >> image & 1:
            images[digit] = image
            taken |= 1 << image
        elif images[digit] != image:
            return False
    if count_ones(taken) < 8:
        return False
    for digit in range(9):
        if images[digit] < 0:
            for image in range(9):
                if not taken >> image & 1:
                    images[digit] = image
    return True


@kernel
def _allowed(position: State, symmetry: int, images: Images, cell: int) -> int:
    """Return the digits that a cell's image allows it, as a mask."""
    target = SYMMETRIES[symmetry, cell]
    placed = position[DIGITS + target]
    open_there = 1 << placed - 1 if placed else position[CANDIDATES + target]
    allowed = 0
    for digit in range(9):
        if open_there >> images[digit] & 1 and (target != cell or images[digit] == digit):
            allowed |= 1 << digit
    return allowed


@kernel
def scan_symmetrical_placement(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find givens that a rotation or reflection maps to givens, each digit to a fixed digit.

    The image of the solution is a solution too, so it is the same. A fixed cell takes a fixed digit; any
    other cell loses a candidate if its image has lost it.
    """
    images = np.empty(9, dtype=np.int32)
    for symmetry in range(len(SYMMETRIES)):
        if not _find_images(position, symmetry, images):
            continue
        staying = 0
        for digit in range(9):
            staying |= (images[digit] == digit) << digit
        for part in range(2):  # the fixed cells, then the others
            begin(out, limits[KEY], 2 * symmetry + part, staying, 0)
            for cell in range(81):
                gone = position[CANDIDATES + cell] & ~_allowed(position, symmetry, images, cell)
                if (SYMMETRIES[symmetry, cell] == cell) == (part == 0):
                    for digit in range(9):
                        if gone >> digit & 1:
                            put_removed(out, position, cell, digit)
            for cell in range(81):
                if part == 0 and SYMMETRIES[symmetry, cell] == cell and position[CANDIDATES + cell]:
                    put_cell(out, PATTERN, position[CANDIDATES + cell] & staying, cell)
            if commit(out, mode):
                return


ENTRIES: Final = (
    Technique(
        "symmetrical_placement",
        N_("Gurth’s Symmetrical Placement"),
        scan=scan_symmetrical_placement,
        family=Family.UNIQUENESS,
        tier=5,
        bound=SHORT,  # there are four symmetries
        needs_unique=True,
        traits=Trait.OF_THE_BOARD,
        rare=True,
    ),
)
