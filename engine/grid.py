"""Grid: 81 digits, immutable and hashable. Holds no candidates and searches nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.arguments import bounded, shown
from engine.errors import ArgumentError, PuzzleFormatError
from engine.geometry import HOUSES, cell_name, house_name

_DIGITS: Final = bytes(range(10))
_CHARACTERS: Final = b".123456789".ljust(256, b"?")


@dataclass(frozen=True, slots=True)
class Fault:
    """A digit that stands more than once in one house."""

    house: int  # 0..26
    digit: int  # 1..9
    cells: tuple[int, ...]  # two or more cells, ascending

    def __str__(self) -> str:
        names = ", ".join(cell_name(cell) for cell in self.cells)
        return f"{house_name(self.house)}: {self.digit} appears in {names}"


@dataclass(frozen=True, slots=True)
class Grid:
    """81 digits row by row, 0 for an empty cell.

    >>> grid = Grid.from_digits([0] * 80 + [7])
    >>> grid[80], grid.givens
    (7, 1)
    """

    digits: bytes  # 81 values 0..9

    def __post_init__(self) -> None:
        if type(self.digits) is not bytes:
            raise ArgumentError("digits", f"expected 81 bytes, found {shown(self.digits)}")
        if len(self.digits) != 81:
            raise PuzzleFormatError("expected 81 cells, found %(found)s", found=len(self.digits))
        if self.digits.translate(None, _DIGITS):  # a quarter of the time of max
            cell, digit = next((cell, digit) for cell, digit in enumerate(self.digits) if digit > 9)
            raise PuzzleFormatError(
                "expected a digit 0..9, found %(found)s", cell=cell, character=str(digit), found=digit
            )

    @classmethod
    def from_digits(cls, digits: Iterable[int]) -> Grid:
        """A grid of 81 ints 0..9, an array of any integer dtype included."""
        values = bounded("digits", digits, 81)
        for cell, digit in enumerate(values):
            whole = isinstance(digit, int | np.integer) and not isinstance(digit, bool)
            if not whole or not 0 <= digit <= 9:
                raise PuzzleFormatError(
                    "expected a digit 0..9, found %(found)s",
                    cell=cell,
                    character=shown(digit),
                    found=shown(digit),
                )
        return cls(bytes(map(int, values)))

    def __getitem__(self, cell: int) -> int:
        return self.digits[cell]

    def __str__(self) -> str:
        """The 81-character line, '.' for an empty cell."""
        return self.digits.translate(_CHARACTERS).decode()

    def __repr__(self) -> str:
        return f"parse({str(self)!r})"

    def _repr_svg_(self) -> str:
        """The picture in a notebook; `engine.draw` can do more."""
        from engine.drawing import draw

        return draw(self)

    @property
    def givens(self) -> int:
        """How many cells hold a digit, 0..81."""
        return 81 - self.digits.count(0)

    @property
    def full(self) -> bool:
        """Whether every cell holds a digit; says nothing about the rules."""
        return 0 not in self.digits

    def array(self) -> NDArray[np.uint8]:
        """A fresh uint8[81] for kernels."""
        return np.frombuffer(self.digits, dtype=np.uint8).copy()

    def faults(self) -> list[Fault]:
        """Every digit that stands twice in a house, all houses at once; empty when the rules hold."""
        found = []
        for house, cells in enumerate(HOUSES):
            held = [self.digits[cell] for cell in cells]
            for digit in range(1, 10):
                if held.count(digit) > 1:
                    holders = tuple(cell for cell in cells if self.digits[cell] == digit)
                    found.append(Fault(house, digit, holders))
        return found
