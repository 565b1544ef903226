"""What rows, columns and boxes hold, as plain sets: the book-keeping of the traces."""

from __future__ import annotations

from engine.geometry import HOUSES_OF
from engine.grid import Grid


class Houses:
    """81 cells to be filled and emptied; the grid it starts from has no fault."""

    def __init__(self, grid: Grid) -> None:
        self.digits = list(grid.digits)
        self._held: list[set[int]] = [set() for _ in range(27)]
        for cell, digit in enumerate(grid.digits):
            if digit:
                self._note(cell, digit)

    def candidates(self, cell: int) -> tuple[int, ...]:
        """The digits no house of the cell holds, ascending."""
        row, column, box = (self._held[house] for house in HOUSES_OF[cell])
        return tuple(
            digit for digit in range(1, 10) if digit not in row and digit not in column and digit not in box
        )

    def put(self, cell: int, digit: int) -> None:
        """Fill an empty cell."""
        self.digits[cell] = digit
        self._note(cell, digit)

    def take(self, cell: int) -> int:
        """Empty a cell; returns what stood there, 0 where nothing did."""
        digit = self.digits[cell]
        if digit:
            for house in HOUSES_OF[cell]:
                self._held[house].discard(digit)
            self.digits[cell] = 0
        return digit

    def _note(self, cell: int, digit: int) -> None:
        for house in HOUSES_OF[cell]:
            self._held[house].add(digit)
