"""The digits of rows, columns and boxes as plain sets: the bookkeeping of the traces."""

from __future__ import annotations

from ..geometry import HOUSES_OF
from ..grid import Grid


class Houses:
    """81 cells to fill and empty, starting from a grid without faults."""

    def __init__(self, grid: Grid) -> None:
        self.digits = [0] * 81
        self._held: list[set[int]] = [set() for _ in range(27)]
        for cell, digit in enumerate(grid.digits):
            if digit:
                self.put(cell, digit)

    def candidates(self, cell: int) -> tuple[int, ...]:
        """Return the digits that no house of the cell has, ascending."""
        row, column, box = (self._held[house] for house in HOUSES_OF[cell])
        return tuple(
            digit for digit in range(1, 10) if digit not in row and digit not in column and digit not in box
        )

    def put(self, cell: int, digit: int) -> None:
        """Fill an empty cell."""
        self.digits[cell] = digit
        for house in HOUSES_OF[cell]:
            self._held[house].add(digit)

    def take(self, cell: int) -> int:
        """Empty a cell; returns its digit, 0 if it was empty."""
        digit = self.digits[cell]
        if digit:
            for house in HOUSES_OF[cell]:
                self._held[house].discard(digit)
            self.digits[cell] = 0
        return digit
