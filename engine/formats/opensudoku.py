"""OpenSudoku's XML, versions 1 and 2: folders of games, each with its digits or with cells, notes and state.

Documents are read as they stream in. A document type with declarations or an entity is rejected, so no entity
is ever expanded. Any other XML is a text that the finder reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final
from xml.parsers import expat

from ..errors import PuzzleFormatError
from ..grid import Grid
from .cells import digits_of
from .entry import Entry
from .format import DocumentReader, Format
from .marks import left_open, mask_of

_KEPT: Final = ("created", "state", "time", "last_played")
# Not xml.sax.saxutils, which imports urllib.request and ssl: a tenth of the engine's import time.
_ESCAPES: Final = {ord(mark): f"&#{ord(mark)};" for mark in '&<>"\t\n\r'}
_LONGEST_GAME: Final = 1 << 18  # bytes between two events of the parser
_LONGEST_TEXT: Final = 2_000  # characters of an element
_DEEPEST: Final = 16  # nesting depth of elements; a document has three


def recognises(head: str) -> bool:
    """Whether a text begins as OpenSudoku's XML."""
    return head.lstrip("\ufeff \t\r\n").startswith("<") and "opensudoku" in head


def read(chunks: Iterable[bytes]) -> Iterator[Entry | PuzzleFormatError]:
    """Yield every game of a document in order, and an error for each invalid one."""
    games, failed = _Games(), None
    pieces = (
        chunk[at : at + _LONGEST_GAME] for chunk in chunks for at in range(0, len(chunk), _LONGEST_GAME)
    )
    for piece in chain(pieces, [b""]):
        try:
            games.feed(piece)
        except PuzzleFormatError as error:
            failed = error
        except expat.ExpatError as error:
            failed = PuzzleFormatError(
                "expected well-formed XML: %(error)s", line=error.lineno, error=expat.ErrorString(error.code)
            )
        except (LookupError, ValueError):  # raised by the codec that the document declares
            failed = PuzzleFormatError("expected XML in UTF-8, found another encoding", line=1)
        yield from games.found
        games.found = []
        if failed:
            yield failed
            return


def write(entry: Entry) -> str:
    """Return a version 2 document with one folder and one game."""
    return write_all([entry])


def write_all(entries: Iterable[Entry]) -> str:
    """Return a version 2 document: the games in folders by their fact `folder`, in order of first
    appearance.
    """
    folders: dict[str, list[str]] = {}
    for entry in entries:
        folders.setdefault(entry.facts.get("folder", "Ninefold"), []).append(_game(entry))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<opensudoku version="2">']
    for name, games in folders.items():
        lines += [f"  <folder name={_quoted(name)}>", *(f"    {game}" for game in games), "  </folder>"]
    return "\n".join([*lines, "</opensudoku>"])


def _quoted(text: str) -> str:
    """Return an attribute's value, escaped, with line ends kept."""
    return f'"{text.translate(_ESCAPES)}"'


def _game(entry: Entry) -> str:
    attributes = {name: entry.facts[name] for name in _KEPT if name in entry.facts}
    if entry.comment:
        attributes["note"] = entry.comment
    if entry.placed is None and entry.candidates is None:
        attributes["data"] = str(entry.givens).replace(".", "0")
    else:
        masks = entry.candidates or (0,) * 81
        cells = zip(entry.standing.digits, masks, entry.givens.digits, strict=True)
        attributes["data"] = "version: 3\n" + "".join(
            f"{digit}|{mask}|{int(not given)}|" for digit, mask, given in cells
        )
    text = " ".join(f"{name}={_quoted(value)}" for name, value in attributes.items())
    return f"<game {text}/>"


class _Games:
    """Turns the events of one document into entries."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = lambda _name, system, _public, declares: (
            self._refuse_declarations() if system or declares else None
        )
        self.parser.EntityDeclHandler = self._refuse_declarations
        self.parser.buffer_text = False
        self.found: list[Entry | PuzzleFormatError] = []
        self.root = ""
        self.depth = 0
        self.version = "1"
        self.folder = ""
        self.text = ""
        self.fed = 0

    def feed(self, chunk: bytes) -> None:
        """Read on; an empty chunk ends the document. Raises PuzzleFormatError, or what the parser does."""
        self.fed += len(chunk)
        self.parser.Parse(chunk, not chunk)
        if self.fed - max(self.parser.CurrentByteIndex, 0) > 2 * _LONGEST_GAME:
            raise PuzzleFormatError(
                "expected games of a few thousand characters, found an endless one", line=self._line()
            )

    def _line(self) -> int:
        return self.parser.CurrentLineNumber

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        self.text = ""
        if self.depth > _DEEPEST:
            raise PuzzleFormatError(
                "expected at most %(most)s nested elements, found more", line=self._line(), most=_DEEPEST
            )
        if not self.root:
            self.root = name
            self.version = attributes.get("version", "1")
            if self.version not in ("1", "2"):
                raise PuzzleFormatError(
                    "expected OpenSudoku version 1 or 2, found %(found)s",
                    line=self._line(),
                    found=f"{self.version!r:.20}",
                )
        if name == "folder":
            self.folder = attributes.get("name", "")
        elif name == "game":
            try:
                self.found.append(self._entry(attributes))
            except PuzzleFormatError as error:
                self.found.append(error.at_line(self._line()))

    def _end(self, name: str) -> None:
        self.depth -= 1
        if name == "name":
            self.folder = self.text
        self.text = ""

    def _text(self, text: str) -> None:
        if len(self.text) < _LONGEST_TEXT:
            self.text += text

    def _refuse_declarations(self, *_: Any) -> None:
        raise PuzzleFormatError(
            "expected XML without declarations, found a document type that has some", line=self._line()
        )

    def _entry(self, attributes: dict[str, str]) -> Entry:
        facts = {name: attributes[name] for name in _KEPT if attributes.get(name)}
        if self.folder:
            facts["folder"] = self.folder
        givens, standing, masks = _cells(attributes.get("data", ""))
        placed = Grid(standing)
        return Entry(
            Grid(givens),
            format="opensudoku",
            placed=None if givens == standing else placed,
            candidates=left_open(masks, placed) if any(masks) else None,
            comment=attributes.get("note", ""),
            facts=facts,
            line=self._line(),
        )


def _cells(data: str) -> tuple[bytes, bytes, list[int]]:
    """Return givens, placed digits and notes of a game's data. Raises PuzzleFormatError naming the cell."""
    head, _, rest = data.strip().partition("|")
    if not rest:
        if len(data.strip()) != 81:
            raise PuzzleFormatError("expected 81 cells, found %(found)s", found=len(data.strip()))
        digits = digits_of(data.strip())
        return digits, digits, [0] * 81
    words = head.replace("version:", "").split()
    if "version:" not in head or len(words) != 2 or words[0] not in ("1", "2", "3"):
        raise PuzzleFormatError("expected data of version 1, 2 or 3, found %(found)s", found=f"{head!r:.40}")
    version, fields = words[0], [words[1], *rest.rstrip("|").split("|")]
    width = len(fields) // 81
    if len(fields) not in (243, 324):
        raise PuzzleFormatError(
            "expected 81 cells of value, note and editable, found %(found)s fields", found=len(fields)
        )
    givens, standing, masks = bytearray(81), bytearray(81), [0] * 81
    for cell in range(81):
        value, note, *_, editable = fields[width * cell : width * (cell + 1)]
        mask = _note(note, version)
        if value not in tuple("0123456789") or editable not in ("0", "1") or mask is None:
            raise PuzzleFormatError(
                "expected a digit, a note and editable 0 or 1, found %(found)s",
                cell=cell,
                found=f"{'|'.join((value, note, editable))!r:.40}",
            )
        standing[cell] = int(value)
        givens[cell] = int(value) if editable == "0" else 0
        masks[cell] = mask
    return bytes(givens), bytes(standing), masks


def _note(note: str, version: str) -> int | None:
    """Return the mask of a cell's note, a comma list in version 1, a bit mask later; None for another."""
    if version == "1":
        marks = [mark for mark in note.split(",") if mark not in ("", "-")]
        return mask_of(marks) if all(mark in tuple("123456789") for mark in marks) else None
    whole = note.isascii() and note.isdecimal() and len(note) < 4 and int(note) < 512
    return int(note) if whole else None


FORMAT: Final = Format(
    "opensudoku",
    "OpenSudoku",
    ".opensudoku",
    write,
    document=DocumentReader(recognises, read),
    write_document=write_all,
)
