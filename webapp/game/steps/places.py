"""Houses as templates name them, and the houses shared by cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.geometry import BOX_OF, COL_OF, HOUSES, HOUSES_OF, ROW_OF


@dataclass(frozen=True, slots=True)
class House:
    """A row, column or box."""

    index: int  # 0..26

    @property
    def kind(self) -> str:
        """row, column or box."""
        return ("row", "column", "box")[self.index // 9]

    @property
    def number(self) -> int:
        """1..9."""
        return self.index % 9 + 1

    @property
    def cells(self) -> tuple[int, ...]:
        """Its nine cells."""
        return HOUSES[self.index]


def box_of(cell: int) -> House:
    """Return the box of a cell."""
    return House(18 + BOX_OF[cell])


def common_houses(cells: Iterable[int]) -> tuple[House, ...]:
    """Return the houses that contain all the cells, boxes first."""
    shared = set.intersection(*({*HOUSES_OF[cell]} for cell in cells))
    return tuple(House(index) for index in sorted(shared, reverse=True))


def common_lines(cells: Iterable[int]) -> tuple[House, ...]:
    """Return the three rows or columns of a band or stack that contain all the cells; empty if none do."""
    found = tuple(cells)
    for first, lines in ((0, ROW_OF), (9, COL_OF)):
        bands = {lines[cell] // 3 for cell in found}
        if len(bands) == 1:
            band = bands.pop()
            return tuple(House(first + 3 * band + at) for at in range(3))
    return ()


def boxes_of(cells: Iterable[int]) -> tuple[House, ...]:
    """Return the boxes of the cells."""
    return tuple(House(18 + box) for box in sorted({BOX_OF[cell] for cell in cells}))
