"""Grid: 81 digits, immutable and hashable. Holds no candidates and searches nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Final

from .arguments import bounded, shown
from .errors import PuzzleFormatError
from .geometry import HOUSES, cell_name, house_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DIGITS: Final = bytes(range(10))
_CHARACTERS: Final = b".123456789".ljust(256, b"?")


class Pictured:
    """A mixin for objects that notebooks show as a picture; `engine.draw` has more options."""

    __slots__ = ()
    drawn_by: ClassVar[Callable[[Any], str]]  # set by engine/__init__.py

    def _repr_svg_(self) -> str:
        return Pictured.drawn_by(self)


@dataclass(frozen=True, slots=True)
class Fault:
    """A digit that appears more than once in one house.

    >>> from engine import parse
    >>> print(parse("1.......1" + 72 * ".").faults()[0])
    row 1: 1 appears in r1c1, r1c9
    """

    house: int  # 0..26
    digit: int  # 1..9
    cells: tuple[int, ...]  # two or more cells, ascending

    def __str__(self) -> str:
        names = ", ".join(cell_name(cell) for cell in self.cells)
        return f"{house_name(self.house)}: {self.digit} appears in {names}"


@dataclass(frozen=True, slots=True)
class Grid(Pictured):
    """81 digits row by row, 0 for an empty cell: from bytes, or from a puzzle in any form.

    >>> grid = Grid.from_digits([0] * 80 + [7])
    >>> grid[80], grid[8, 8], grid.givens, len(grid)
    (7, 7, 1, 81)
    """

    digits: bytes  # 81 values 0..9
    read_by: ClassVar[Callable[[str, object], Grid]]  # set by engine/__init__.py

    def __post_init__(self) -> None:
        if type(self.digits) is not bytes:
            object.__setattr__(self, "digits", Grid.read_by("digits", self.digits).digits)
        if len(self.digits) != 81:
            raise PuzzleFormatError("expected 81 cells, found %(found)s", found=len(self.digits))
        if self.digits.translate(None, _DIGITS):  # a quarter of the time of max
            cell, digit = next((cell, digit) for cell, digit in enumerate(self.digits) if digit > 9)
            raise PuzzleFormatError(
                "expected a digit 0..9, found %(found)s", cell=cell, character=str(digit), found=digit
            )

    @classmethod
    def from_digits(cls, digits: Iterable[int]) -> Grid:
        """Return a grid of 81 ints 0..9, also from an array of any integer dtype."""
        values = bounded("digits", digits, 81)
        for cell, digit in enumerate(values):
            whole = isinstance(digit, int | Integral) and not isinstance(digit, bool)
            if not whole or not 0 <= digit <= 9:
                raise PuzzleFormatError(
                    "expected a digit 0..9, found %(found)s",
                    cell=cell,
                    character=shown(digit),
                    found=shown(digit),
                )
        return cls(bytes(map(int, values)))

    def __getitem__(self, cell: int | tuple[int, int]) -> int:
        """Return the digit of a cell 0..80, or of a row and a column 0..8; 0 if it is empty."""
        if isinstance(cell, tuple) and len(cell) == 2:
            row, column = cell
            if not (0 <= row <= 8 and 0 <= column <= 8):
                raise IndexError(f"expected a row and a column 0..8, found {row}, {column}")
            return self.digits[9 * row + column]
        return self.digits[cell]

    def __len__(self) -> int:
        return 81

    def __str__(self) -> str:
        """Return the 81-character line, '.' for an empty cell."""
        return self.digits.translate(_CHARACTERS).decode()

    def __repr__(self) -> str:
        return f"parse({str(self)!r})"

    @property
    def givens(self) -> int:
        """The number of cells with a digit, 0..81."""
        return 81 - self.digits.count(0)

    @property
    def full(self) -> bool:
        """Whether every cell has a digit, regardless of the rules."""
        return 0 not in self.digits

    def array(self) -> NDArray[np.uint8]:
        """Return a new uint8[81] for kernels."""
        import numpy as np  # imported here: half of the time of commands without arrays, such as the help

        return np.frombuffer(self.digits, dtype=np.uint8).copy()

    def faults(self) -> list[Fault]:
        """Return every digit that appears twice in a house, by house; empty if the rules hold."""
        found = []
        for house, cells in enumerate(HOUSES):
            held = [self.digits[cell] for cell in cells]
            for digit in range(1, 10):
                if held.count(digit) > 1:
                    holders = tuple(cell for cell in cells if self.digits[cell] == digit)
                    found.append(Fault(house, digit, holders))
        return found
