"""Puzzles as callers have them: text in any format, 81 digits, nine rows, or an array."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .arguments import bounded, shown
from .errors import ArgumentError, PuzzleFormatError
from .formats import Entry, parse_entry
from .formats.marks import shown as candidates_of
from .grid import Grid

# Accepted as a puzzle besides a Grid or a Position.
Given = str | Sequence[Any] | NDArray[Any]

_NOTHING: Final = (None, "", ".", " ", "0")
_DIGITS: Final = {str(digit): digit for digit in range(1, 10)}


@dataclass(frozen=True, slots=True)
class Marks:
    """The candidates of a text."""

    masks: tuple[int, ...]  # 81, bit digit-1; a placed digit is alone in its cell


def grid_of(argument: str, value: object) -> Grid:
    """Return the grid of a value: the givens of a text. ArgumentError, or PuzzleFormatError."""
    return value if isinstance(value, Grid) else entry_of(argument, value).givens


def marks_of(argument: str, value: object) -> Grid | Marks:
    """Return the grid of a value, or the candidates of a text that has its own."""
    entry = entry_of(argument, value)
    if is_of_givens(entry):
        return entry.givens
    masks = candidates_of(entry.standing, entry.candidates)
    for cell, digit in entry.deleted:
        masks[cell] &= ~(1 << (digit - 1))
    return Marks(tuple(masks))


def is_of_givens(entry: Entry) -> bool:
    """Whether a text has only givens."""
    return entry.placed is None and entry.candidates is None and not entry.deleted


def entry_of(argument: str, value: object) -> Entry:
    """Return the entry of a text, or of 81 cells in a list, nine lists or an array.

    ArgumentError for any other value, PuzzleFormatError for a text that isn't a puzzle.
    """
    if isinstance(value, str):
        return parse_entry(value)
    if isinstance(value, bytes | bytearray | dict) or not isinstance(value, Iterable):
        found = shown(value)
        raise ArgumentError(
            argument, f"expected a puzzle: text, 81 digits, a Grid or a Position, found {found}"
        )
    cells = bounded(argument, value.tolist() if isinstance(value, np.ndarray) else value, 81)
    if len(cells) == 9:
        rows = [list(row) if isinstance(row, str) else bounded(argument, row, 81) for row in cells]
        for number, row in enumerate(rows, 1):
            if len(row) != 9:
                raise PuzzleFormatError(
                    "expected 9 cells in row %(row)s, found %(found)s", row=number, found=len(row)
                )
        cells = [cell for row in rows for cell in row]
    return Entry(Grid.from_digits([_digit(cell) for cell in cells]))


def _digit(cell: Any) -> Any:
    """Return the digit of a cell that may be text or nothing; the grid rejects anything else."""
    if cell is None or isinstance(cell, str):
        return 0 if cell in _NOTHING else _DIGITS.get(cell, cell)
    return cell
