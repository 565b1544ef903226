"""JSON in any arrangement: a list of puzzles, objects around such lists, one object, or one object per line.

A puzzle is a text, a list of 81 cells, nine rows, or an object with one of these under a common name. The
document is read in pieces: a value of moderate size is parsed as a whole, a longer one in parts.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from ..errors import PuzzleFormatError
from ..grid import Grid
from . import block, fpuzzles, json_line, json_text, line, sudokupad
from .cells import digits_of
from .entry import Entry, only
from .format import DocumentReader, Format, LineReader
from .table import PUZZLE, SOLUTION

_LONGEST: Final = 1 << 16  # characters of a value that is parsed as a whole
_DEEPEST: Final = 16  # nesting depth
_BEGINS: Final = re.compile(r"\s*(?:\[\s*(?:[\[{\"\-0-9\]]|true|false|null|$)|\{\s*(?:[\"}]|$))")
# Rows of cells in brackets, as printed by NumPy or in source code: either not JSON, or not one puzzle each.
_ROW: Final = re.compile(r"\s*\[\s*(?:\[?\s*[0-9]\.?\s+[0-9]|[^\[\]{},]{1,6}(?:,[^\[\]{},]{1,6}){8}\],?\s*$)")
_SPACE: Final = re.compile(r"[\s\ufeff]*")
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|["\[\]{}]', re.DOTALL)
_WORD: Final = re.compile(r'[^\s,:\[\]{}"]+')
# The names of a puzzle, in addition to those of tables, in order of preference.
_NAMES: Final = ("puzzle", "givens", "clues", "start", "initial", "unsolved", "problem", "mission", "value")
_EMPTY: Final = frozenset({"", " ", "0", ".", "-", "_", "*", "x", "X", "None"})

Facts = Mapping[str, str]
Found = Entry | PuzzleFormatError


def recognises(head: str) -> bool:
    """Whether a text begins as a JSON list or object, except for objects on single lines that start with
    their puzzle.
    """
    first = head.lstrip("\ufeff").partition("\n")[0]
    if json_line.recognises(first) or _ROW.match(first):
        return False
    return _BEGINS.match(head.lstrip("\ufeff")) is not None


def parse(text: str) -> Entry:
    """Return the entry of a document with one puzzle. Raises PuzzleFormatError."""
    return only(
        read([text.encode("utf-8", "surrogatepass")]),
        lambda count: PuzzleFormatError("expected one puzzle, found %(found)s", found=count),
    )


def read(chunks: Iterable[bytes]) -> Iterator[Found]:
    """Yield every puzzle in order, and an error for each invalid one; malformed text ends it."""
    source = _Source(chunks)
    try:
        while source.peek():
            yield from _values(source, {}, 0)
            if source.peek() == ",":
                source.take()
        if source.broken:
            yield source.broken
    except PuzzleFormatError as error:
        yield source.broken or error


class _Source:
    """A document's text in pieces; holds slightly more than _LONGEST characters."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text = ""
        self._at = 0
        self._over = False
        self.broken: PuzzleFormatError | None = None  # the end of what is in UTF-8
        self.line = 1

    def peek(self) -> str:
        """Return the next character that isn't blank; '' at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._move(self._at if space is None else space.end())
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._fill():
                return ""

    def take(self) -> None:
        """Skip the character returned by `peek`."""
        self._move(self._at + 1)

    def whole(self) -> str | None:
        """Return the text of the value that begins here; None, skipping nothing, if its end is out of
        reach.
        """
        while len(self._text) - self._at < _LONGEST and self._fill():
            pass
        if self._text[self._at] not in '"[{':
            word = _WORD.match(self._text, self._at)
            end = self._at + 1 if word is None else word.end()
        else:
            end = self._end()
        if not self._at < end <= self._at + _LONGEST:
            return None
        text = self._text[self._at : end]
        self._move(end)
        return text

    def _end(self) -> int:
        depth = 0
        for token in _TOKEN.finditer(self._text, self._at):
            mark = token.group()
            if mark == '"':  # an unterminated text
                return 0
            depth += (mark in "[{") - (mark in "]}")
            if not depth:
                return token.end()
        return 0

    def _move(self, to: int) -> None:
        self.line += self._text.count("\n", self._at, to)
        self._at = to

    def _fill(self) -> bool:
        if self._over:
            return False
        chunk = next(self._chunks, None)
        self._over = chunk is None
        try:
            text = self._decoder.decode(chunk or b"", final=self._over)
        except UnicodeDecodeError as error:
            text, self._over = bytes(error.object[: error.start]).decode(), True
            line = self.line + self._text.count("\n", self._at) + text.count("\n")
            self.broken = PuzzleFormatError("expected JSON in UTF-8, found another encoding", line=line)
        self._text = self._text[self._at :] + text
        self._at = 0
        return True


def _values(source: _Source, facts: Facts, depth: int) -> Iterator[Found]:
    """Yield the puzzles of the value that begins here."""
    first, begun = source.peek(), source.line
    text = source.whole()
    if text is not None:
        try:
            value = json_text.loads(text)
        except ValueError:
            yield PuzzleFormatError(
                "expected a JSON value, found %(found)s", line=begun, found=f"{text!r:.40}"
            )
        else:
            for item in _puzzles(value, facts, depth):
                yield replace(item, line=begun) if isinstance(item, Entry) else item
        return
    if first not in "[{":
        raise PuzzleFormatError(
            "expected a text that ends within %(longest)s characters", line=begun, longest=_LONGEST
        )
    if depth == _DEEPEST:
        raise PuzzleFormatError(
            "expected at most %(most)s lists within each other", line=begun, most=_DEEPEST
        )
    source.take()
    yield from _members(source, facts, depth) if first == "{" else _elements(source, facts, depth)


def _elements(source: _Source, facts: Facts, depth: int) -> Iterator[Found]:
    """Yield the puzzles of the rest of a list."""
    begun = source.line
    while (mark := source.peek()) != "]":
        if mark == ",":
            source.take()
        else:
            _refuse_end(mark, "]", begun, source.line)
            yield from _values(source, facts, depth + 1)
    source.take()


def _members(source: _Source, facts: Facts, depth: int) -> Iterator[Found]:
    """Yield the puzzles of the rest of an object; its texts and numbers are facts about all later ones."""
    begun = source.line
    known = dict(facts)
    while (mark := source.peek()) != "}":
        if mark == ",":
            source.take()
            continue
        _refuse_end(mark, "}", begun, source.line)
        name = source.whole()
        if name is None or source.peek() != ":":
            raise PuzzleFormatError("expected a name and ':' in a JSON object", line=source.line)
        source.take()
        _refuse_end(source.peek(), "}", begun, source.line)
        if source.peek() in "[{":
            yield from _values(source, known, depth + 1)
        elif (text := source.whole()) is not None:
            known |= {name.strip('"'): text.strip('"')}
    source.take()


def _refuse_end(mark: str, closing: str, begun: int, line: int) -> None:
    if not mark:
        raise PuzzleFormatError(
            "expected %(closing)s for line %(begun)s, found the end",
            line=line,
            closing=f"{closing!r}",
            begun=begun,
        )
    if mark in "]}:":
        raise PuzzleFormatError("expected a JSON value, found %(found)s", line=line, found=f"{mark!r}")


def _puzzles(value: object, facts: Facts, depth: int) -> Iterator[Found]:
    """Yield the puzzles of a parsed value at this depth."""
    try:
        if depth > _DEEPEST:
            raise PuzzleFormatError("expected at most %(most)s lists within each other", most=_DEEPEST)
        if isinstance(value, dict):
            yield from _of_object(value, facts, depth)
        elif isinstance(value, list) and not _is_grid(value):
            for element in value:
                yield from _puzzles(element, facts, depth + 1)
        else:
            yield Entry(_grid(value), format="json", facts=facts)
    except PuzzleFormatError as error:
        yield error


def _of_object(members: dict[str, Any], facts: Facts, depth: int) -> Iterator[Found]:
    if entry := _of_a_program(members):
        yield replace(entry, facts={**facts, **entry.facts})
        return
    scalars = {name: str(value) for name, value in members.items() if _is_fact(value)}
    solution = next((name for name in members if name.lower() in SOLUTION), None)
    puzzle = next((name for name in _in_order(members) if _may_be_grid(members[name])), None)
    if puzzle is None:
        puzzle = _only_grid(members, solution)
    if puzzle == "puzzle" and isinstance(members["puzzle"], str):
        entry = json_line.entry_of(members)
        yield Entry(
            entry.givens,
            format="json",
            placed=entry.placed,
            candidates=entry.candidates,
            deleted=entry.deleted,
            solution=entry.solution,
            facts={**facts, **entry.facts},
        )
        return
    merged = {**facts, **{name: text for name, text in scalars.items() if name not in (puzzle, solution)}}
    if puzzle is not None:
        yield Entry(
            _grid(members[puzzle]),
            format="json",
            solution=_grid(members[solution]) if solution and _may_be_grid(members[solution]) else None,
            facts=merged,
        )
        return
    inner = [value for value in members.values() if isinstance(value, dict | list)]
    if not inner:
        raise PuzzleFormatError("expected a JSON object with a puzzle")
    for value in inner:
        yield from _puzzles(value, merged, depth + 1)


def _of_a_program(members: dict[str, Any]) -> Entry | None:
    """Return the entry of an f-puzzles, SudokuPad or GNOME Sudoku file; None if it is none of these."""
    for name in ("grid", "cells"):
        board = members.get(name)
        if not isinstance(board, list) or not board:
            continue
        if isinstance(board[0], list) and board[0] and isinstance(board[0][0], dict):
            return sudokupad.of_members(members)
        if isinstance(board[0], dict) and "position" in board[0]:
            return _of_places(board)
    return None


def _of_places(cells: list[Any]) -> Entry:
    """Return the entry of cells with coordinates, as in GNOME Sudoku. Raises PuzzleFormatError."""
    givens, standing, masks = bytearray(81), bytearray(81), [0] * 81
    for cell in cells:
        place = cell.get("position") if isinstance(cell, dict) else None
        if (
            not isinstance(place, list)
            or len(place) != 2
            or not all(type(number) is int and 0 <= number < 9 for number in place)
        ):
            raise PuzzleFormatError(
                "expected a cell with its row and column, found %(found)s", found=f"{cell!r:.40}"
            )
        at = 9 * place[0] + place[1]
        if value := cell.get("value"):
            standing[at] = fpuzzles.digit(value, at)
            givens[at] = standing[at] if cell.get("fixed", True) else 0
        masks[at] = fpuzzles.marks(cell.get("earmarks"), at)
    return fpuzzles.entry_of("json", givens, standing, masks, [0] * 81, None, {})


def _only_grid(members: dict[str, Any], solution: str | None) -> str | None:
    """Return the name of an object's only puzzle if it is unusual; None if there could be several."""
    grids = {
        name: grid
        for name, value in members.items()
        if name != solution and _may_be_grid(value) and (grid := _grid_or_none(value)) is not None
    }
    names = [name for name, grid in grids.items() if not grid.full] or list(grids)
    return names[0] if len(names) == 1 else None


def _grid_or_none(value: object) -> Grid | None:
    try:
        return _grid(value)
    except PuzzleFormatError:
        return None


def _in_order(members: Mapping[str, Any]) -> Iterator[str]:
    """Return the possible names of a puzzle, the most likely first."""
    for wanted in _NAMES:
        yield from (name for name in members if name.lower() == wanted)
    yield from (name for name in members if name.lower() in PUZZLE and name.lower() not in _NAMES)


def _is_fact(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _may_be_grid(value: object) -> bool:
    return (isinstance(value, str) and len(value) >= 17) or (isinstance(value, list) and _is_grid(value))


def _is_grid(values: list[Any]) -> bool:
    """Whether a list is 81 cells or nine rows of nine."""
    if len(values) == 81:
        return not any(isinstance(value, list | dict) or len(str(value)) > 4 for value in values)
    if len(values) != 9:
        return False
    rows = [list(value) if isinstance(value, str) else value for value in values]
    return all(isinstance(row, list) and len(row) == 9 for row in rows)


def _grid(value: object) -> Grid:
    """Return the grid of a text, of 81 cells or of nine rows. Raises PuzzleFormatError."""
    if isinstance(value, str):
        return block.parse(value).givens if "\n" in value.strip() else line.parse(value).givens
    if not isinstance(value, list):
        raise PuzzleFormatError("expected a puzzle, found %(found)s", found=f"{value!r:.40}")
    cells = [cell for row in value for cell in row] if len(value) == 9 else value
    return Grid(digits_of("".join(_character(cell, at) for at, cell in enumerate(cells))))


def _character(cell: object, at: int) -> str:
    text = str(cell)
    if text in _EMPTY:
        return "."
    if len(text) != 1 or not text.isascii() or not text.isdigit():
        raise PuzzleFormatError("expected 1-9, 0 or null, found %(found)s", cell=at, found=f"{cell!r:.20}")
    return text


FORMAT: Final = Format(
    "json",
    "JSON lines",
    ".jsonl",
    json_line.write,
    line=LineReader(json_line.recognises, json_line.parse),
    document=DocumentReader(recognises, parse, read),
)
