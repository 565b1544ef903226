"""Format: what one file of this folder declares about its format, for readers and writers of puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.errors import PuzzleFormatError
from engine.formats.entry import Entry

HEAD: Final = 100  # characters that tell a document


@dataclass(frozen=True, slots=True)
class LineReader:
    """Reads a format that holds one puzzle in one line."""

    recognises: Callable[[str], bool]  # whether a line is of this format
    parse: Callable[[str], Entry]  # raises PuzzleFormatError naming cell and character


@dataclass(frozen=True, slots=True)
class DocumentReader:
    """Reads a format whose text is one document, such as XML, that no line of it tells by itself."""

    recognises: Callable[[str], bool]  # whether a text that begins so, with up to HEAD characters, is one
    parse: Callable[[str], Entry]  # a text with one puzzle; raises PuzzleFormatError
    # Every puzzle of a document that comes in pieces, and in its place the error of what is none.
    read: Callable[[Iterable[bytes]], Iterator[Entry | PuzzleFormatError]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format that can be written; which one a text is in is recognized.

    Formats in rows of cells have no reader here: reader.py gathers rows for all of them.
    """

    key: str  # in FORMATS, and Entry.format of what was read
    title: str
    suffix: str  # of files that hold it
    write: Callable[[Entry], str]  # one entry, without the line's end
    header: str = ""  # a line above the first entry of a file
    line: LineReader | None = None
    document: DocumentReader | None = None
    write_document: Callable[[Iterable[Entry]], str] | None = None  # where a file is more than its entries

    def file(self, entries: Iterable[Entry]) -> Iterator[str]:
        """The text of a file that holds the entries, piece by piece."""
        if self.write_document is not None:
            yield self.write_document(entries) + "\n"
            return
        if self.header:
            yield f"{self.header}\n"
        for entry in entries:
            yield f"{self.write(entry)}\n"
