"""Format: what each file of this folder declares about its format, for readers and writers of puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from ..errors import PuzzleFormatError
from .entry import Entry

HEAD: Final = 100  # characters that identify a document


@dataclass(frozen=True, slots=True)
class DocumentReader:
    """Reads a format whose text is one document, such as XML, that single lines don't identify."""

    # Whether a text that begins like this, with up to HEAD characters, is one
    recognises: Callable[[str], bool]
    # Yields every puzzle of a document in pieces, and an error for each invalid one.
    read: Callable[[Iterable[bytes]], Iterator[Entry | PuzzleFormatError]]

    def parse(self, text: str) -> Entry:
        """Return the only puzzle of a document. Raises PuzzleFormatError."""
        entries: list[Entry] = []
        for item in self.read([text.encode("utf-8", "surrogatepass")]):
            if isinstance(item, PuzzleFormatError):
                raise item
            entries.append(item)
        if len(entries) != 1:
            raise PuzzleFormatError("expected one puzzle, found %(found)s", found=len(entries))
        return entries[0]


@dataclass(frozen=True, slots=True)
class Format:
    """A writable format; its texts are recognized when read.

    Formats in rows of cells have no reader here: reader.py collects rows for all of them.
    """

    key: str  # in FORMATS, and in Entry.format
    title: str
    suffix: str  # of files in this format
    write: Callable[[Entry], str]  # one entry, without the line end
    header: str = ""  # a line above a file's first entry
    # Returns the entry of a line in this format, None for any other; raises PuzzleFormatError naming cell and
    # character.
    line: Callable[[str], Entry | None] | None = None
    document: DocumentReader | None = None
    write_document: Callable[[Iterable[Entry]], str] | None = None  # if a file is more than its entries

    def file(self, entries: Iterable[Entry]) -> Iterator[str]:
        """Yield the text of a file with these entries, in pieces."""
        if self.write_document is not None:
            yield self.write_document(entries) + "\n"
            return
        if self.header:
            yield f"{self.header}\n"
        for entry in entries:
            yield f"{self.write(entry)}\n"
