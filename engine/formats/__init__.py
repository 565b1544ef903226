"""Text formats, one file each, which declares its `FORMAT`; `parse_entry` and `read` recognize a text.

To add one, write its file and list it in catalogue.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Final

from ..arguments import instance
from ..errors import PuzzleFormatError
from . import finder, reader, source
from .catalogue import FORMATS
from .entry import Entry
from .format import HEAD, DocumentReader, Format
from .hodoku import candidates as hodoku_candidates
from .json_text import loads
from .marks import mask_of
from .marks import shown as shown_marks
from .source import Bytes, in_utf8, text_of
from .table import PUZZLE, cell, columns_of

__all__ = [
    "FORMATS",
    "PUZZLE",
    "Bytes",
    "DocumentReader",
    "Entry",
    "Format",
    "cell",
    "columns_of",
    "hodoku_candidates",
    "in_utf8",
    "loads",
    "mask_of",
    "parse_entry",
    "read",
    "shown_marks",
    "text_of",
]

LONGEST_TEXT: Final = 1 << 20  # characters of one puzzle; no format needs more than some 10,000

_LONGEST_LOOSE: Final = 8_192  # characters of a puzzle and surrounding text


def parse_entry(text: str) -> Entry:
    """Return the one puzzle of a text with everything its format holds. Raises PuzzleFormatError."""
    instance("text", text, str)
    if len(text) > LONGEST_TEXT:
        raise PuzzleFormatError(
            "expected at most %(most)s characters, found %(found)s", most=LONGEST_TEXT, found=len(text)
        )
    document = _document(text[:HEAD])
    try:
        return document.parse(text) if document else _of_lines(text)
    except reader.Addition:
        raise
    except PuzzleFormatError:
        found = finder.anywhere(text, _of_lines) if len(text) <= _LONGEST_LOOSE else None
        if found is None:
            raise
        return found


def _of_lines(text: str) -> Entry:
    """Return the one puzzle of a text in a line-based format. Raises PuzzleFormatError."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found: list[Entry] = []
    numbered = enumerate(lines, 1)
    for item in reader.entries(
        (at, each if len(each) <= source.LONGEST_LINE else source.too_long(at)) for at, each in numbered
    ):
        if isinstance(item, PuzzleFormatError):
            raise item if len(lines) > 1 else item.at_line(None)
        if found and found[0].solution is None and item.givens.full and not item.givens.faults():
            puzzle, full = found[0].givens, item.givens.digits  # which may be its solution
            if not puzzle.full and all(one in (0, two) for one, two in zip(puzzle.digits, full, strict=True)):
                found[0] = replace(found[0], solution=item.givens)
                continue
        if found:
            raise PuzzleFormatError("expected one puzzle, found a second", line=item.line)
        found.append(item)
    if not found:
        raise finder.nothing(text)
    return found[0]


def read(stream: Bytes) -> Iterator[Entry | PuzzleFormatError]:
    """Yield every puzzle of a file or pipe in order, and an error for each invalid one, in constant memory.

    >>> from io import BytesIO
    >>> [str(entry) for entry in read(BytesIO(b"81 cells"))]
    ["line 1, r1c3: expected 1-9, 0 or '.', found 'c'"]
    """
    head, stream = in_utf8(stream)
    # Replaced, because it may be cut inside a character, and no format is recognized by any beyond ASCII.
    if document := _document(head[:HEAD].decode("utf-8", "replace")):
        return document.read(chain([head], iter(lambda: stream.read(1 << 16), b"")))
    return reader.entries(source.lines(stream, head))


def _document(head: str) -> DocumentReader | None:
    """Return the document reader for a text with this beginning; None for a line-based text."""
    readers = (form.document for form in FORMATS.values() if form.document is not None)
    return next((reader for reader in readers if reader.recognises(head)), None)
