"""SudokuPad links: the prefix `scl` or `ctc`, then LZ-String base64 of JSON or of SudokuPad's shortened JSON.

The packed text carries givens, marks, title, author and solution; variants are refused by name, and so are
addresses that only name a puzzle stored elsewhere, since nothing is ever fetched. A link may also hold 81
cells as they are.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final
from urllib.parse import quote

from engine.errors import PuzzleFormatError
from engine.formats import line, lz_string
from engine.formats.entry import Entry
from engine.formats.format import Format, LineReader
from engine.formats.fpuzzles import cells_of, digit, entry_of, facts_of, marks
from engine.formats.marks import digits_in
from engine.geometry import HOUSES

ADDRESS: Final = "https://sudokupad.app/"
_LINK: Final = re.compile(r"(?:^|[/=])(?:scl|ctc)([A-Za-z0-9+/%_=-]{8,})")
_SITE: Final = re.compile(r"(?:sudokupad\.app|app\.crackingthecryptic\.com)/", re.IGNORECASE)
_CELLS: Final = re.compile(r"[/=]([0-9.]{81})(?![0-9.])")
# The members that SudokuPad shortens, as far as a classic puzzle has them.
_LONG_NAMES: Final = {
    "a": "arrows",
    "ca": "cages",
    "ce": "cells",
    "cs": "cellSize",
    "l": "lines",
    "o": "overlays",
    "re": "regions",
    "t": "title",
    "u": "underlays",
    "v": "value",
}
_HARMLESS: Final = frozenset(
    {"id", "cellSize", "cells", "regions", "cages", "metadata", "settings"}
    | {"title", "author", "rules", "solution"}
)
_METADATA: Final = ("title", "author", "rules")
_METADATA_CAGE: Final = re.compile(r"(title|author|rules|solution|source|msgcorrect): ?(.*)", re.DOTALL)
_BOXES: Final = frozenset(frozenset(house) for house in HOUSES[18:])
_ANY_HOUSE: Final = frozenset(frozenset(house) for house in HOUSES)


def recognises(text: str) -> bool:
    """Whether a line is a SudokuPad link, or the coded string alone behind its prefix."""
    return (
        _SITE.search(text) is not None
        or re.match(r"(?:scl|ctc)[A-Za-z0-9+/%_=-]{8}", text.strip()) is not None
    )


def parse(text: str) -> Entry:
    """The entry of a link. Raises PuzzleFormatError."""
    found = _LINK.search(text.strip())
    if found is None and (cells := _CELLS.search(text)):
        return line.parse(cells[1])
    if found is None:
        raise PuzzleFormatError(
            "expected a SudokuPad link that holds its puzzle (scl...), found one that only refers to it"
        )
    packed = lz_string.decompress(found[1])
    try:
        members = json.loads(packed)
    except ValueError:
        members = _long_names(_Shortened(packed).value())
    except RecursionError:
        raise PuzzleFormatError("expected JSON in the packed text, found it nested too deep") from None
    if not isinstance(members, dict):
        raise PuzzleFormatError("expected a JSON object in the packed text")
    return _entry(members)


def write(entry: Entry) -> str:
    """The link that SudokuPad opens."""
    cells = [[_cell(entry, 9 * row + column) for column in range(9)] for row in range(9)]
    boxes = [[[cell // 9, cell % 9] for cell in house] for house in HOUSES[18:]]
    metadata = {name: entry.facts[name] for name in _METADATA if name in entry.facts}
    if entry.solution is not None:
        metadata["solution"] = str(entry.solution)
    puzzle = {"cellSize": 50, "metadata": metadata, "regions": boxes, "cells": cells}
    code = lz_string.compress(json.dumps(puzzle, separators=(",", ":")))
    return f"{ADDRESS}scl{quote(code, safe='')}"


def _entry(puzzle: dict[str, Any]) -> Entry:
    metadata = puzzle.get("metadata")
    told: dict[str, Any] = {**puzzle, **(metadata if isinstance(metadata, dict) else {})}
    variants = [
        name
        for name, content in puzzle.items()
        if name not in _HARMLESS and isinstance(content, list | dict) and content
    ]
    variants += [name for name in ("antiknight", "antiking", "fogofwar", "nonconsecutive") if told.get(name)]
    cages = puzzle.get("cages") or []
    for cage in cages if isinstance(cages, list) else []:
        if not isinstance(cage, dict):
            continue
        if named := _METADATA_CAGE.fullmatch(str(cage.get("value", ""))):
            told.setdefault(named[1], named[2])
        elif cage.get("cells") and not _is_house(cage):
            variants.append("cages")
    if _irregular(puzzle.get("regions")):
        variants.append("irregular regions")
    if variants:
        raise PuzzleFormatError(
            "expected a classic Sudoku, found the variant %(found)s",
            found=f"{', '.join(sorted(set(variants))):.200}",
        )
    givens, standing = bytearray(81), bytearray(81)
    centre, corner = [0] * 81, [0] * 81
    for at, cell in enumerate(cells_of(puzzle.get("cells"), "cells")):
        if value := cell.get("value"):
            standing[at] = digit(value, at)
            givens[at] = standing[at] if cell.get("given", True) else 0
        centre[at] = marks(cell.get("centremarks"), at)
        corner[at] = marks(cell.get("pencilMarks"), at)
    return entry_of(
        "sudokupad", givens, standing, centre, corner, told.get("solution"), facts_of(told, _METADATA)
    )


def _is_house(cage: dict[str, Any]) -> bool:
    """Return whether a cage only repeats the rule of a row, column or box."""
    return not cage.get("value") and not cage.get("sum") and _cells(cage.get("cells")) in _ANY_HOUSE


def _irregular(regions: object) -> bool:
    return bool(regions) and (
        not isinstance(regions, list) or {_cells(region) for region in regions} - _BOXES != set()
    )


def _cells(pairs: Any) -> frozenset[int]:
    """The cells of [row, column] pairs; nothing where one is no cell of the grid."""
    try:
        return frozenset(
            9 * range(9)[row] + range(9)[column] for row, column in pairs if min(row, column) >= 0
        )
    except (IndexError, TypeError, ValueError):
        return frozenset()


def _cell(entry: Entry, at: int) -> dict[str, Any]:
    cell: dict[str, Any] = {}
    if entry.standing[at]:
        cell["value"] = entry.standing[at]
        if not entry.givens[at]:
            cell["given"] = False
    if entry.candidates is not None and entry.candidates[at]:
        cell["centremarks"] = [int(mark) for mark in digits_in(entry.candidates[at])]
    if entry.corners is not None and entry.corners[at]:
        cell["pencilMarks"] = [int(mark) for mark in digits_in(entry.corners[at])]
    return cell


def _long_names(value: Any) -> Any:
    """Expand shortened member names recursively."""
    if isinstance(value, dict):
        return {_LONG_NAMES.get(name, name): _long_names(content) for name, content in value.items()}
    return [_long_names(item) for item in value] if isinstance(value, list) else value


class _Shortened:
    """SudokuPad's shortened JSON: bare names, single quotes, t and f, bare colours, nothing for `{}`."""

    _BARE: Final = re.compile(r"[^,:{}\[\]'\"]*")
    _PLAIN: Final = re.compile(r"[^\\'\"]+")
    _DEPTH: Final = 12
    _VALUES: Final = 4_000  # a classic puzzle with all its marks has some 900

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.values = 0

    def value(self) -> Any:
        """Parse the value that begins here. Raises PuzzleFormatError."""
        self.values += 1
        if self.values > self._VALUES:
            raise PuzzleFormatError(
                "expected at most %(most)s values in the packed text, found more", most=self._VALUES
            )
        opening = self.text[self.at : self.at + 1]
        if opening in ("{", "["):
            self.depth += 1
            if self.depth > self._DEPTH:
                raise PuzzleFormatError("expected JSON in the packed text, found it nested too deep")
            self.at += 1
            inside = self._members() if opening == "{" else self._items()
            self.depth -= 1
            return inside
        if opening in ("'", '"'):
            return self._quoted(opening)
        word = self._word()
        if not word:
            return {}
        if word in ("t", "true", "f", "false"):
            return word[0] == "t"
        return int(word) if word.isdecimal() and word.isascii() and len(word) < 10 else word

    def _members(self) -> dict[str, Any]:
        members: dict[str, Any] = {}
        while self._peek() != "}":
            opening = self._peek()
            name = self._quoted(opening) if opening in ("'", '"') else self._word()
            self._expect(":")
            members[name] = self.value()
            if self._peek() != "}":
                self._expect(",")
        self.at += 1
        return members

    def _items(self) -> list[Any]:
        items = [self.value()]
        while self._peek() != "]":
            self._expect(",")
            items.append(self.value())
        self.at += 1
        return items

    def _quoted(self, quote_mark: str) -> str:
        self.at += 1
        out = []
        while (character := self._peek()) != quote_mark:
            if plain := self._PLAIN.match(self.text, self.at):
                out.append(plain.group())
                self.at = plain.end()
                continue
            self.at += 1
            if character == "\\":
                character = self._peek()
                self.at += 1
            out.append(character)
        self.at += 1
        return "".join(out)

    def _word(self) -> str:
        found = self._BARE.match(self.text, self.at)
        word = found.group() if found else ""
        self.at += len(word)
        return word.strip()

    def _peek(self) -> str:
        if self.at >= len(self.text):
            raise PuzzleFormatError("expected JSON in the packed text, found its end")
        return self.text[self.at]

    def _expect(self, character: str) -> None:
        if self._peek() != character:
            raise PuzzleFormatError(
                "expected JSON in the packed text, found %(found)s for %(expected)s",
                found=f"{self._peek()!r}",
                expected=f"{character!r}",
            )
        self.at += 1


FORMAT: Final = Format("sudokupad", "SudokuPad link", ".url", write, line=LineReader(recognises, parse))
