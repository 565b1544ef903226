"""Sketch: the state of the drawing table, encoded in its address. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import engine
from engine.generation import Symmetry
from webapp.process.errors import BadAddress
from webapp.process.words import gettext as _

EMPTY = engine.parse("." * 81)
SYMMETRIES = tuple(symmetry.value for symmetry in Symmetry)


@dataclass(frozen=True)
class Sketch:
    """Givens, which of them are locked, the cells of a shape, and the brush's symmetry."""

    grid: engine.Grid = EMPTY
    locked: frozenset[int] = frozenset()  # a subset of the cells with a given
    shape: frozenset[int] = frozenset()
    symmetry: str = Symmetry.NONE.value

    @classmethod
    def read(cls, grid: str, locked: str, shape: str, symmetry: str) -> Sketch:
        """Return the sketch of an address; grid: a puzzle in any format. Raises BadAddress."""
        try:
            found = engine.parse(grid) if grid else EMPTY
        except engine.PuzzleFormatError as error:
            raise BadAddress(_("Couldn’t read this: %(reason)s", reason=str(error))) from None
        if symmetry not in ("", *SYMMETRIES):
            raise BadAddress(_("“%(found)s” isn’t a valid choice here.", found=symmetry[:40]))
        there = frozenset(cell for cell in _cells(locked) if found[cell])
        return cls(found, there, _cells(shape), symmetry or Symmetry.NONE.value)

    @property
    def query(self) -> dict[str, Any]:
        """Return the parameters of its address, without empty ones."""
        values = {
            "grid": "" if self.grid == EMPTY else str(self.grid),
            "locked": _text(self.locked),
            "shape": _text(self.shape),
            "symmetry": "" if self.symmetry == Symmetry.NONE.value else self.symmetry,
        }
        return {name: value for name, value in values.items() if value}

    def images(self, cell: int) -> tuple[int, ...]:
        """Return the cells that the brush changes together with this one, including it."""
        return Symmetry(self.symmetry).images(cell)

    def placed(self, cell: int, digit: int) -> Sketch:
        """Return it with another given in an unlocked cell; 0 empties the cell and its images."""
        if cell in self.locked:
            return self
        gone = {cell} if digit else {*self.images(cell)} - self.locked
        return replace(self, grid=_grid(digit if at in gone else self.grid[at] for at in range(81)))

    def toggled_lock(self, cell: int) -> Sketch:
        """Return it with a given locked or unlocked; does nothing for an empty cell."""
        return replace(self, locked=self.locked ^ {cell}) if self.grid[cell] else self

    def toggled_shape(self, cell: int) -> Sketch:
        """Return it with a cell and its images added to the shape, or removed."""
        images = frozenset(self.images(cell))
        return replace(self, shape=self.shape - images if cell in self.shape else self.shape | images)

    def with_grid(self, grid: engine.Grid) -> Sketch:
        """Return it with other givens; locks stay where the given is the same."""
        kept = frozenset(cell for cell in self.locked if grid[cell] == self.grid[cell])
        return replace(self, grid=grid, locked=kept)

    def cleared(self) -> Sketch:
        """Return it without the unlocked givens."""
        return self.with_grid(_grid(self.grid[cell] if cell in self.locked else 0 for cell in range(81)))

    @cached_property
    def conflicts(self) -> frozenset[int]:
        """The cells whose digit appears twice in a house."""
        return frozenset(cell for fault in self.grid.faults() for cell in fault.cells)


def _grid(digits: Iterable[int]) -> engine.Grid:
    return engine.Grid(bytes(digits))


def _cells(text: str) -> frozenset[int]:
    """Return the cells of a bit set in hexadecimal, bit 0 for cell 0. Raises BadAddress."""
    try:
        bits = int(text or "0", 16) if len(text) <= 21 else -1
    except ValueError:
        bits = -1
    if not 0 <= bits < 1 << 81:
        raise BadAddress(_("“%(found)s” isn’t a set of cells.", found=text[:30]))
    return frozenset(cell for cell in range(81) if bits >> cell & 1)


def _text(cells: frozenset[int]) -> str:
    return f"{sum(1 << cell for cell in cells):x}" if cells else ""
