"""Read and write positions as text, with placed digits and struck candidates, in every format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from .arguments import function, one_of, shown
from .errors import ArgumentError, PuzzleFormatError
from .formats import FORMATS, Entry, parse_entry, read, text_of
from .formats.marks import left_open
from .given import Given, entry_of, is_of_givens
from .grid import Grid
from .position import Position


def parse_position(text: str) -> Position:
    """Return the position of a text in any supported format: its digits and candidates.

    >>> parse_position("12......." + 80 * "123456789").candidates(0)
    (1, 2)

    A text of givens alone has all candidates they allow, as `Position.from_grid`. Raises PuzzleFormatError.
    """
    return position_of(parse_entry(text))


def puzzle_of(argument: str, value: object) -> Grid | Position:
    """Return a value as a grid, or as a position if a text has more than givens."""
    if isinstance(value, Grid | Position):
        return value
    entry = entry_of(argument, value)
    return entry.givens if is_of_givens(entry) else position_of(entry)


def start_of(argument: str, value: object) -> Position:
    """Return a value as a position; a grid has all candidates that it allows."""
    found = puzzle_of(argument, value)
    return Position.from_grid(found) if isinstance(found, Grid) else found


def read_many(
    source: str | bytes | Path | IO[Any], *, on_error: Callable[[PuzzleFormatError], object] | None = None
) -> Iterator[Entry]:
    """Yield every puzzle of a text or a file in any format, with its title, author and line.

    source: the text; a Path; or an open file, which is streamed if it is binary.
    on_error: called with the error of each invalid part; by default the first one is raised.

    >>> [(entry.title, entry.line) for entry in read_many("One;" + 81 * "." + chr(10) + "Two;" + 81 * ".")]
    [('One', 1), ('Two', 2)]
    """
    if on_error is not None:
        function("on_error", on_error, takes=1)
    for item in _found(source):
        if isinstance(item, Entry):
            yield item
        elif on_error is None:
            raise item
        else:
            on_error(item)


def _found(source: object) -> Iterator[Entry | PuzzleFormatError]:
    """Yield the entries of a text or a file."""
    if isinstance(source, str | bytes):
        yield from _of_text(source)
    elif isinstance(source, Path):
        with source.open("rb") as stream:
            yield from read(stream)
    elif callable(getattr(source, "read", None)):
        file: Any = getattr(source, "buffer", source)
        yield from _of_text(file.read()) if isinstance(file.read(0), str) else read(file)
    else:
        raise ArgumentError("source", f"expected text, a Path or an open file, found {shown(source)}")


def _of_text(text: str | bytes) -> Iterator[Entry | PuzzleFormatError]:
    """Yield the entries of a text, or the one puzzle of a layout that is only recognizable as a whole."""
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
    found = read(BytesIO(text))
    errors: list[PuzzleFormatError] = []
    for item in found:
        if isinstance(item, Entry):
            yield from errors
            yield item
            yield from found
            return
        errors.append(item)
    try:
        yield parse_entry(text_of(text))
    except PuzzleFormatError as error:
        yield from errors or [error]


def position_of(entry: Entry) -> Position:
    """Return the position of an entry, with its own candidates and eliminations."""
    placed = entry.standing
    masks = list(entry.candidates) if entry.candidates is not None else [0x1FF] * 81
    for cell, digit in entry.deleted:
        masks[cell] &= ~(1 << (digit - 1))
    return Position.from_marks(masks, placed, entry.givens)


def write(puzzle: Given, form: str = "line") -> str:
    """Return a puzzle as text, without the line end; `parse` and `parse_position` read it again.

    form: a key of FORMATS. Formats of digits alone, such as "line", omit a position's candidates.

    >>> from engine import parse, write
    >>> write(parse("1" + 80 * "0"))[:3]
    '1..'
    """
    one_of("form", form, FORMATS)
    taken = puzzle_of("puzzle", puzzle)
    if isinstance(taken, Grid):
        return FORMATS[form].write(Entry(taken))
    placed = None if taken.grid == taken.givens else taken.grid
    entry = Entry(taken.givens, placed=placed, candidates=left_open(taken.masks, taken.grid))
    return FORMATS[form].write(entry)
