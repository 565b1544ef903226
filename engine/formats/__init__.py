"""Text formats, one a file that declares its `FORMAT`; `parse` and `read` recognize which a text is in.

To add one, write its file and name it in catalogue.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from engine.arguments import instance
from engine.errors import PuzzleFormatError
from engine.formats import pencilmarks, reader, source
from engine.formats.catalogue import FORMATS
from engine.formats.entry import Entry
from engine.formats.format import HEAD, DocumentReader, Format, LineReader
from engine.formats.source import Bytes
from engine.grid import Grid

__all__ = [
    "FORMATS",
    "Bytes",
    "DocumentReader",
    "Entry",
    "Format",
    "LineReader",
    "parse",
    "parse_entry",
    "read",
]

LONGEST_TEXT: Final = 1 << 20  # characters of one puzzle; the longest that any format needs is some 10,000

_LONGEST_GROUPS: Final = 8_192  # characters of 81 groups of digits and the layout around them


def parse(text: str) -> Grid:
    """The puzzle of a text in any supported format: its givens.

    >>> parse("." * 80 + "7").givens
    1

    Raises PuzzleFormatError, which names the line (of several), the cell and the character.
    """
    return parse_entry(text).givens


def parse_entry(text: str) -> Entry:
    """The one puzzle of a text with everything its format holds. Raises PuzzleFormatError."""
    instance("text", text, str)
    if len(text) > LONGEST_TEXT:
        raise PuzzleFormatError(
            "expected at most %(most)s characters, found %(found)s", most=LONGEST_TEXT, found=len(text)
        )
    if document := _document(text[:HEAD]):
        return document.parse(text)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found: list[Entry] = []
    for item in reader.entries(_bounded(lines)):
        if isinstance(item, PuzzleFormatError):
            return _by_groups(
                text,
                item if len(lines) > 1 else item.without_line(),
            )
        if found:
            raise PuzzleFormatError("expected one puzzle, found a second", line=item.line)
        found.append(item)
    if not found:
        raise PuzzleFormatError("expected 81 cells, found none")
    return found[0]


def read(stream: Bytes) -> Iterator[Entry | PuzzleFormatError]:
    """Every puzzle of a file or pipe in order, the error of what is none in its place; memory stays constant.

    >>> from io import BytesIO
    >>> [str(entry) for entry in read(BytesIO(b"81 cells"))]
    ['line 1: expected 81 cells, found 7']
    """
    head = stream.readline(source.LONGEST_LINE + 1)
    if document := _document(head[:HEAD].decode("utf-8", "replace")):
        return document.read(chain([head], iter(lambda: stream.read(1 << 16), b"")))
    return reader.entries(source.lines(stream, head))


def _document(head: str) -> DocumentReader | None:
    """What reads a text that begins so as one document; None where it is read line by line."""
    readers = (form.document for form in FORMATS.values() if form.document is not None)
    return next((reader for reader in readers if reader.recognises(head)), None)


def _bounded(lines: list[str]) -> Iterator[tuple[int, str | PuzzleFormatError]]:
    for number, text in enumerate(lines, 1):
        yield number, text if len(text) <= source.LONGEST_LINE else source.too_long(number)


def _by_groups(text: str, error: PuzzleFormatError) -> Entry:
    """The candidate grid of a text with 81 groups of digits in any layout; else raise `error`."""
    if len(text) > _LONGEST_GROUPS:
        raise error
    try:
        entry = pencilmarks.parse_groups(text)
    except PuzzleFormatError:
        raise error from None
    if entry.candidates is None or not any(entry.candidates):
        raise error
    return entry
