"""OpenSudoku's XML, versions 1 and 2: folders of games, each with its digits or with cells, notes and state.

Read as it streams in; a document type or an entity is refused, so no entity is ever expanded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final
from xml.parsers import expat

from engine.errors import PuzzleFormatError
from engine.formats.cells import digits_of
from engine.formats.entry import Entry, only
from engine.formats.format import DocumentReader, Format
from engine.formats.marks import left_open, mask_of
from engine.grid import Grid

_KEPT: Final = ("created", "state", "time", "last_played")
# Not xml.sax.saxutils: it brings urllib.request and ssl along, a tenth of the engine's import.
_ESCAPES: Final = {ord(mark): f"&#{ord(mark)};" for mark in '&<>"\t\n\r'}
_LONGEST_GAME: Final = 1 << 18  # bytes between two events of the parser
_DEEPEST: Final = 16  # elements within each other; a document has three


def recognises(head: str) -> bool:
    """Whether a text begins as an XML document."""
    return head.lstrip("\ufeff \t\r\n").startswith("<")


def read(chunks: Iterable[bytes]) -> Iterator[Entry | PuzzleFormatError]:
    """Every game of a document in order, and in its place the error of what is none."""
    handler = _Games()
    try:
        for chunk in chunks:
            for at in range(0, len(chunk), _LONGEST_GAME):
                handler.feed(chunk[at : at + _LONGEST_GAME])
                yield from handler.taken()
        handler.close()
        yield from handler.taken()
    except PuzzleFormatError as error:
        yield from handler.taken()
        yield error
    except expat.ExpatError as error:
        yield from handler.taken()
        yield PuzzleFormatError(
            "expected well-formed XML: %(error)s", line=error.lineno, error=expat.ErrorString(error.code)
        )
    except (LookupError, ValueError):  # raised by the codec that the document names
        yield PuzzleFormatError("expected XML in UTF-8, found another encoding", line=1)


def parse(text: str) -> Entry:
    """The entry of a document with one game. Raises PuzzleFormatError."""
    return only(
        read([text.encode("utf-8", "surrogatepass")]),
        lambda count: PuzzleFormatError("expected one game, found %(found)s", found=count),
    )


def write(entry: Entry) -> str:
    """A version 2 document with one folder and one game."""
    return write_all([entry])


def write_all(entries: Iterable[Entry], *, folder: str = "Ninefold") -> str:
    """A version 2 document: the games in folders by their fact `folder`, in the order of first mention."""
    folders: dict[str, list[str]] = {}
    for entry in entries:
        folders.setdefault(entry.facts.get("folder", folder), []).append(_game(entry))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<opensudoku version="2">']
    for name, games in folders.items():
        lines += [f"  <folder name={_quoted(name)}>", *(f"    {game}" for game in games), "  </folder>"]
    return "\n".join([*lines, "</opensudoku>"])


def _quoted(text: str) -> str:
    """An attribute's value, line ends kept."""
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
    """The events of one document turned into entries."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype
        self.parser.EntityDeclHandler = self._refuse_doctype
        self.parser.buffer_text = False
        self.found: list[Entry | PuzzleFormatError] = []
        self.root_seen = False
        self.depth = 0
        self.version = "1"
        self.folder = ""
        self.naming = False
        self.fed = 0

    def feed(self, chunk: bytes) -> None:
        self.fed += len(chunk)
        self.parser.Parse(chunk, False)
        if self.fed - max(self.parser.CurrentByteIndex, 0) > 2 * _LONGEST_GAME:
            raise PuzzleFormatError(
                "expected games of a few thousand characters, found an endless one", line=self._line()
            )

    def close(self) -> None:
        self.parser.Parse(b"", True)

    def taken(self) -> list[Entry | PuzzleFormatError]:
        found, self.found = self.found, []
        return found

    def _line(self) -> int:
        return self.parser.CurrentLineNumber

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise PuzzleFormatError(
                "expected at most %(most)s nested elements, found more", line=self._line(), most=_DEEPEST
            )
        if not self.root_seen:
            self.root_seen = True
            if name != "opensudoku":
                raise PuzzleFormatError(
                    "expected <opensudoku>, found <%(name)s>", line=self._line(), name=f"{name:.40}"
                )
            self.version = attributes.get("version", "1")
            if self.version not in ("1", "2"):
                raise PuzzleFormatError(
                    "expected OpenSudoku version 1 or 2, found %(found)s",
                    line=self._line(),
                    found=f"{self.version!r:.20}",
                )
        elif name == "folder":
            self.folder = attributes.get("name", "")
        elif name == "name":
            self.naming, self.folder = True, ""
        elif name == "game":
            try:
                self.found.append(self._entry(attributes))
            except PuzzleFormatError as error:
                self.found.append(error.at_line(self._line()))

    def _end(self, name: str) -> None:
        self.depth -= 1
        if name == "name":
            self.naming = False

    def _text(self, text: str) -> None:
        if self.naming and len(self.folder) < 200:
            self.folder += text

    def _refuse_doctype(self, *_: Any) -> None:
        raise PuzzleFormatError(
            "expected OpenSudoku's XML, found a document type, which is not allowed", line=self._line()
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
    """Givens, standing digits and notes of a game's data. Raises PuzzleFormatError naming the cell."""
    head, _, rest = data.strip().partition("|")
    if not rest:
        if len(data.strip()) != 81:
            raise PuzzleFormatError("expected 81 cells, found %(found)s", found=len(data.strip()))
        digits = digits_of(data.strip())
        return digits, digits, [0] * 81
    version, first = _version(head)
    fields = [first, *rest.rstrip("|").split("|")]
    width = len(fields) // 81
    if len(fields) not in (243, 324):
        raise PuzzleFormatError(
            "expected 81 cells of value, note and editable, found %(found)s fields", found=len(fields)
        )
    givens, standing, masks = bytearray(81), bytearray(81), [0] * 81
    for cell in range(81):
        value, note, *_, editable = fields[width * cell : width * (cell + 1)]
        if value not in tuple("0123456789"):
            raise PuzzleFormatError(
                "expected a digit 0-9, found %(found)s",
                cell=cell,
                character=value[:20],
                found=f"{value!r:.20}",
            )
        if editable not in ("0", "1"):
            raise PuzzleFormatError(
                "expected editable 0 or 1, found %(found)s",
                cell=cell,
                character=editable[:20],
                found=f"{editable!r:.20}",
            )
        standing[cell] = int(value)
        givens[cell] = int(value) if editable == "0" else 0
        masks[cell] = _note(note, version, cell)
    return bytes(givens), bytes(standing), masks


def _version(head: str) -> tuple[str, str]:
    """The data's version and the first field behind it."""
    words = head.replace("version:", "").split()
    if "version:" not in head or len(words) != 2 or words[0] not in ("1", "2", "3"):
        raise PuzzleFormatError("expected data of version 1, 2 or 3, found %(found)s", found=f"{head!r:.40}")
    return words[0], words[1]


def _note(note: str, version: str, cell: int) -> int:
    """The mask of a cell's note: a comma list in version 1, a bit mask later."""
    if version == "1":
        marks = [mark for mark in note.split(",") if mark not in ("", "-")]
        if all(mark in tuple("123456789") for mark in marks):
            return mask_of(marks)
    elif note.isascii() and note.isdecimal() and len(note) < 4 and int(note) < 512:
        return int(note)
    raise PuzzleFormatError(
        "expected a note of candidates, found %(found)s",
        cell=cell,
        character=note[:20],
        found=f"{note!r:.20}",
    )


FORMAT: Final = Format(
    "opensudoku",
    "OpenSudoku",
    ".opensudoku",
    write,
    document=DocumentReader(recognises, parse, read),
    write_document=write_all,
)
