"""Symmetries of a pattern of givens, and the cells that each ties together."""

from __future__ import annotations

from collections.abc import Callable, Container
from enum import Enum
from typing import Final


class Symmetry(Enum):
    """How the pattern of givens repeats itself, regardless of digits.

    `horizontal` mirrors across the horizontal middle line (row 1 onto row 9), `vertical` across the vertical
    one, `diagonal` across the line from r1c1 to r9c9, `antidiagonal` across the other; `full` is all of them
    at once.
    """

    NONE = "none"
    HALF_TURN = "half_turn"
    QUARTER_TURN = "quarter_turn"
    HORIZONTAL = "horizontal"
    VERTICAL = "vertical"
    DIAGONAL = "diagonal"
    ANTIDIAGONAL = "antidiagonal"
    FULL = "full"

    @property
    def ties(self) -> tuple[bool, bool, bool, bool]:
        """Whether it ties opposite rows, opposite columns, rows to columns, and survives their exchange."""
        return (
            self not in (Symmetry.NONE, Symmetry.VERTICAL, Symmetry.DIAGONAL),
            self not in (Symmetry.NONE, Symmetry.HORIZONTAL, Symmetry.DIAGONAL),
            self in (Symmetry.QUARTER_TURN, Symmetry.DIAGONAL, Symmetry.ANTIDIAGONAL, Symmetry.FULL),
            self not in (Symmetry.HORIZONTAL, Symmetry.VERTICAL),
        )

    def holds(self, cells: Container[int]) -> bool:
        """Whether a pattern, the cells 0..80 with a given, has it."""
        return all(image in cells for cell in range(81) if cell in cells for image in self.images(cell))

    def images(self, cell: int) -> tuple[int, ...]:
        """Return the cells that a cell is tied to, including itself, ascending: 1, 2, 4 or 8."""
        return _IMAGES[self][cell]


def _images(symmetry: Symmetry, cell: int) -> tuple[int, ...]:
    found = {divmod(cell, 9)}
    while True:
        grown = found | {turn(row, col) for turn in _TURNS[symmetry] for row, col in found}
        if grown == found:
            return tuple(sorted(9 * row + col for row, col in found))
        found = grown


_TURNS: Final[dict[Symmetry, tuple[Callable[[int, int], tuple[int, int]], ...]]] = {
    Symmetry.NONE: (),
    Symmetry.HALF_TURN: (lambda row, col: (8 - row, 8 - col),),
    Symmetry.QUARTER_TURN: (lambda row, col: (col, 8 - row),),
    Symmetry.HORIZONTAL: (lambda row, col: (8 - row, col),),
    Symmetry.VERTICAL: (lambda row, col: (row, 8 - col),),
    Symmetry.DIAGONAL: (lambda row, col: (col, row),),
    Symmetry.ANTIDIAGONAL: (lambda row, col: (8 - col, 8 - row),),
    Symmetry.FULL: (lambda row, col: (col, 8 - row), lambda row, col: (col, row)),
}
# Those offered to players, and a recipe's name for any of them.
OFFERED: Final = (
    Symmetry.HALF_TURN,
    Symmetry.QUARTER_TURN,
    Symmetry.HORIZONTAL,
    Symmetry.VERTICAL,
    Symmetry.DIAGONAL,
    Symmetry.ANTIDIAGONAL,
)
ANY: Final = "any"

_IMAGES: Final = {symmetry: tuple(_images(symmetry, cell) for cell in range(81)) for symmetry in Symmetry}
