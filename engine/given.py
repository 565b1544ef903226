"""Puzzles as callers have them: text in any format, 81 digits, nine rows, an array, an object with a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeGuard, TypeVar, runtime_checkable

from .arguments import bounded, shown
from .errors import ArgumentError, PuzzleFormatError
from .formats import Entry, parse_entry
from .formats.marks import shown as candidates_of
from .grid import Grid


@runtime_checkable
class HasGrid(Protocol):
    """An object with a grid, such as the Puzzle that `generate` returns."""

    @property
    def grid(self) -> Grid:
        """The givens."""


@runtime_checkable
class Pencilled(Protocol):
    """A puzzle of candidates, such as a Position."""

    @property
    def givens(self) -> Grid:
        """Return the printed digits."""

    @property
    def masks(self) -> tuple[int, ...]:
        """Return 81 masks, bit digit-1; a placed digit is alone in its cell."""


# Accepted as a puzzle wherever one is taken.
Given: TypeAlias = "str | Sequence[Any] | NDArray[Any] | Grid | HasGrid | Pencilled | Entry"

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_PUZZLES: Final = 1_000_000  # of a list
T = TypeVar("T")

_NOTHING: Final = (None, "", ".", " ", "0")
_DIGITS: Final = {str(digit): digit for digit in range(1, 10)}


@dataclass(frozen=True, slots=True)
class Marks:
    """The candidates of a text."""

    givens: Grid
    masks: tuple[int, ...]  # 81, bit digit-1; a placed digit is alone in its cell


def parse(text: Given) -> Grid:
    """Return the givens of a text in any supported format, or of a puzzle in any other form.

    >>> parse("." * 80 + "7").givens
    1

    Raises PuzzleFormatError, which names the line (of several), the cell and the character.
    """
    return grid_of("text", text)


def grid_of(argument: str, value: object) -> Grid:
    """Return the grid of a value: the givens of a text or a position. ArgumentError, or PuzzleFormatError."""
    if isinstance(value, Grid):
        return value
    return value.givens if is_pencilled(value) else entry_of(argument, value).givens


def marks_of(argument: str, value: object) -> Grid | Pencilled:
    """Return the grid of a value, or the candidates of a position or of a text that has its own."""
    if isinstance(value, Grid) or is_pencilled(value):
        return value
    entry = entry_of(argument, value)
    if is_of_givens(entry):
        return entry.givens
    masks = candidates_of(entry.standing, entry.candidates)
    for cell, digit in entry.deleted:
        masks[cell] &= ~(1 << (digit - 1))
    return Marks(entry.givens, tuple(masks))


def is_pencilled(value: object) -> TypeGuard[Pencilled]:
    """Whether a value is a puzzle of candidates."""
    return isinstance(value, Pencilled) and not isinstance(value, type)


def rows_of(argument: str, value: object) -> NDArray[Any]:
    """Return the givens of puzzles as an array of shape (n, 81): an array of whole numbers as it is.

    The caller checks its range. PuzzleFormatError names the puzzle, counted from 1, as line.
    """
    import numpy as np  # here, since reading a text needs no arrays

    if not isinstance(value, np.ndarray):
        grids = each_of(argument, value, grid_of)
        return np.frombuffer(b"".join(grid.digits for grid in grids), np.uint8).reshape(-1, 81)
    if value.ndim != 2 or value.shape[1] != 81:
        raise ArgumentError(argument, f"expected an array of shape (n, 81), found {value.shape}")
    if value.dtype.kind not in "iu":
        raise ArgumentError(argument, f"expected an array of whole numbers, found {value.dtype}")
    return np.asarray(value)  # of a masked one, what it holds


def each_of(argument: str, values: object, take: Callable[[str, object], T]) -> list[T]:
    """Return what `take` makes of each puzzle in a list. PuzzleFormatError names its number as line."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ArgumentError(argument, f"expected a list of puzzles, found {shown(values)}")
    found: list[T] = []
    for value in _each(argument, values):
        if len(found) == MOST_PUZZLES:
            raise ArgumentError(argument, f"expected at most {MOST_PUZZLES} puzzles, or an array, found more")
        try:
            found.append(take(argument, value))
        except PuzzleFormatError as error:
            raise error.at_line(len(found) + 1) from None
    return found


def _each(argument: str, values: Iterable[object]) -> Iterator[object]:
    """Yield the items of an iterable; a foreign iterator may raise anything."""
    try:
        yield from values
    except Exception as error:
        raise ArgumentError(argument, f"expected a list, found {shown(values)}: {error}") from error


def is_of_givens(entry: Entry) -> bool:
    """Whether a text has only givens."""
    return entry.placed is None and entry.candidates is None and not entry.deleted


def entry_of(argument: str, value: object) -> Entry:
    """Return the entry of a text, or of 81 cells in a list, nine lists or an array.

    ArgumentError for any other value, PuzzleFormatError for a text that isn't a puzzle.
    """
    if isinstance(value, str):
        return parse_entry(value)
    if isinstance(value, Entry):
        return value
    if isinstance(value, Grid):
        return Entry(value)
    if isinstance(value, HasGrid) and isinstance(value.grid, Grid) and not isinstance(value, type):
        return Entry(value.grid)
    if isinstance(value, bytes | bytearray | dict) or not isinstance(value, Iterable):
        found = shown(value)
        raise ArgumentError(
            argument, f"expected a puzzle: text, 81 digits, a Grid or a Position, found {found}"
        )
    cells = bounded(argument, value.tolist() if hasattr(value, "tolist") else value, 81)
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
