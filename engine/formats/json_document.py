"""JSON in any arrangement: a list of puzzles, objects around such lists, one object, or one object a line.

A puzzle is a text, a list of 81 cells, nine rows, or an object with one of these under a common name. Our own
commands write one object a line that begins with its puzzle; those lines are read one by one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, TypeGuard

from ..errors import PuzzleFormatError
from ..grid import Grid
from . import fpuzzles, json_text, sudokupad
from .cells import DIGITS
from .entry import Entry
from .finder import candidates_in, digits_of_rows, of_line
from .format import DocumentReader, Format
from .marks import digits_in, mask_of
from .table import PUZZLE, SOLUTION

_LONGEST: Final = 8 << 20  # bytes of a document; more than that is written one object a line
_DEEPEST: Final = 16  # nesting depth
_BEGINS_LINE: Final = re.compile(r'\s*\{(?:[^{}\[\]]*,)?\s*"puzzle"\s*:\s*"')
_BEGINS: Final = re.compile(r"\s*(?:\[\s*(?:[\[{\"\-0-9\]]|true|false|null|$)|\{\s*(?:[\"}]|$))")
# Rows of cells in brackets, as printed by NumPy or in source code: either not JSON, or not one puzzle each.
_ROW: Final = re.compile(r"\s*\[\s*(?:\[?\s*[0-9]\.?\s+[0-9]|[^\[\]{},]{1,6}(?:,[^\[\]{},]{1,6}){8}\],?\s*$)")
# Between values; a list of objects is read object by object.
_BETWEEN: Final = re.compile(r"(?:[\s\ufeff,]|\[(?=\s*\{)|\](?=\s*(?:[\],]|$)))*")
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
    if _BEGINS_LINE.match(first) or _ROW.match(first):
        return False
    return _BEGINS.match(head.lstrip("\ufeff")) is not None


def read(chunks: Iterable[bytes]) -> Iterator[Found]:
    """Yield every puzzle in order, and an error for each invalid one. Of malformed text only lines are left
    out.
    """
    data, broken = b"", 0
    for chunk in chunks:
        data += chunk
        if len(data) > _LONGEST:
            yield PuzzleFormatError(
                "expected at most %(most)s bytes of JSON, found more: write one object a line", most=_LONGEST
            )
            return
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        text, broken = data[: error.start].decode(), 1 + data.count(b"\n", 0, error.start)
    at, number = 0, 1
    while at < len(text):
        between = _BETWEEN.match(text, at)
        start = at if between is None else between.end()
        number += text.count("\n", at, start)
        if start == len(text):
            break
        try:
            value, at = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            failed = getattr(error, "pos", start)
            if not broken:
                last, found = number + text.count("\n", start, failed), text[start:].partition("\n")[0]
                yield PuzzleFormatError(
                    "expected a JSON value, found %(found)s", line=last, found=f"{found!r:.40}"
                )
            at = text.find("\n", start)
            # Only a broken line is left out. Values nested too deep would be so from the next line, too.
            if isinstance(error, RecursionError) or not -1 < failed <= at:
                break
            continue
        if json_text.is_deeper(value, _DEEPEST):
            yield PuzzleFormatError(
                "expected at most %(most)s lists within each other", line=number, most=_DEEPEST
            )
        else:
            for item in _puzzles(value, {}):
                yield replace(item, line=number) if isinstance(item, Entry) else item
        number += text.count("\n", start, at)
    if broken:
        yield PuzzleFormatError("expected JSON in UTF-8, found another encoding", line=broken)


_DECODER: Final = json.JSONDecoder()


def _of_line(text: str) -> Entry | None:
    """Return the entry of an object that begins with its puzzle. Raises PuzzleFormatError."""
    if not _BEGINS_LINE.match(text):
        return None
    try:
        return _of_members(json_text.loads(text), "puzzle", {})
    except PuzzleFormatError:
        raise
    except ValueError as error:
        raise PuzzleFormatError("expected a JSON object: %(error)s", error=error) from None


def _puzzles(value: object, facts: Facts) -> Iterator[Found]:
    """Yield the puzzles of a parsed value."""
    try:
        if isinstance(value, dict):
            yield from _of_object(value, facts)
        elif isinstance(value, list) and not _is_grid(value):
            for element in value:
                yield from _puzzles(element, facts)
        else:
            yield Entry(_grid(value), format="json", facts=facts)
    except PuzzleFormatError as error:
        yield error


def _of_object(members: dict[str, Any], facts: Facts) -> Iterator[Found]:
    if entry := _of_a_program(members):
        yield replace(entry, facts={**facts, **entry.facts})
        return
    named = [
        name
        for wanted in (*_NAMES, None)
        for name in members
        if _may_be_grid(members[name])
        and (name.lower() == wanted if wanted else name.lower() in PUZZLE - {*_NAMES})
    ]
    puzzle = named[0] if named else _only_grid(members)
    if puzzle is not None:
        yield _of_members(members, puzzle, facts)
        return
    inner = [value for value in members.values() if isinstance(value, dict | list)]
    if not inner:
        raise PuzzleFormatError("expected a JSON object with a puzzle")
    for value in inner:
        yield from _puzzles(value, {**facts, **_facts(members)})


def _of_members(members: dict[str, Any], puzzle: str, facts: Facts) -> Entry:
    """Return the entry of an object's member and of those that belong to it. Raises PuzzleFormatError."""
    text = members[puzzle]
    whole = isinstance(text, str) and candidates_in(text)
    entry = whole or Entry(_grid(text))
    solution = next((name for name in members if name.lower() in SOLUTION), "")
    own = [puzzle, solution]
    if puzzle == "puzzle" and isinstance(text, str):
        own += ["placed", "candidates", "deleted"]
        placed, marks = members.get("placed"), members.get("candidates")
        entry = replace(
            entry,
            placed=_grid(placed) if isinstance(placed, str) else None,
            candidates=entry.candidates if marks is None else _masks(marks),
            deleted=_deleted(members.get("deleted")),
        )
    return replace(
        entry,
        format="json",
        solution=_grid(members[solution]) if solution and _may_be_grid(members[solution]) else None,
        facts={**facts, **_facts(members, own)},
    )


def _facts(members: Mapping[str, Any], own: Sequence[str] = ()) -> dict[str, str]:
    """Return the texts and numbers of an object that aren't its `own`."""
    return {
        name: str(value)
        for name, value in members.items()
        if name not in own and isinstance(value, str | int | float) and not isinstance(value, bool)
    }


def _of_a_program(members: dict[str, Any]) -> Entry | None:
    """Return the entry of an f-puzzles, SudokuPad or GNOME Sudoku file; None if it is none of these.

    Raises PuzzleFormatError.
    """
    for name in ("grid", "cells"):
        board = members.get(name)
        if not isinstance(board, list) or not board:
            continue
        if isinstance(board[0], list) and board[0] and isinstance(board[0][0], dict):
            return sudokupad.of_members(members)
        if isinstance(board[0], dict) and "position" in board[0]:
            places: list[dict[str, Any]] = [{}] * 81
            for cell in board:
                place = cell.get("position") if isinstance(cell, dict) else None
                if not _are_whole(place, 9, 9):
                    raise PuzzleFormatError(
                        "expected a cell with its row and column, found %(found)s", found=f"{cell!r:.40}"
                    )
                places[9 * place[0] + place[1]] = cell
            return fpuzzles.entry_of("json", places, ("earmarks", ""), given=("fixed", True))
    return None


def _only_grid(members: dict[str, Any]) -> str | None:
    """Return the name of an object's only puzzle if it is unusual; None if there could be several."""
    grids = {}
    for name, value in members.items():
        if name.lower() not in SOLUTION and _may_be_grid(value):
            with suppress(PuzzleFormatError):
                grids[name] = _grid(value)
    names = [name for name, grid in grids.items() if not grid.full] or list(grids)
    return names[0] if len(names) == 1 else None


def _may_be_grid(value: object) -> bool:
    return (isinstance(value, str) and len(value) >= 17) or (isinstance(value, list) and _is_grid(value))


def _is_grid(values: list[Any]) -> bool:
    """Whether a list is 81 cells or nine rows of nine."""
    if len(values) == 81:
        return not any(isinstance(value, list | dict) or len(str(value)) > 4 for value in values)
    return len(values) == 9 and all(isinstance(row, list | str) and len(row) == 9 for row in values)


def _grid(value: object) -> Grid:
    """Return the grid of a text, of 81 cells or of nine rows. Raises PuzzleFormatError."""
    if isinstance(value, str):
        if "\n" not in value.strip():
            return of_line(value).givens
        return Grid(digits_of_rows(list(enumerate(value.split("\n"), 1))))
    if not isinstance(value, list):
        raise PuzzleFormatError("expected a puzzle, found %(found)s", found=f"{value!r:.40}")
    digits = bytearray()
    for at, cell in enumerate(cell for row in value for cell in row) if len(value) == 9 else enumerate(value):
        text = str(cell)
        if text not in _EMPTY and text not in tuple(DIGITS):
            raise PuzzleFormatError(
                "expected 1-9, 0 or null, found %(found)s", cell=at, found=f"{cell!r:.20}"
            )
        digits.append(int(text) if text in DIGITS and text else 0)
    return Grid(bytes(digits))


def write(entry: Entry) -> str:
    """Return the object on one line."""
    members: dict[str, Any] = {"puzzle": str(entry.givens)}
    if entry.placed is not None:
        members["placed"] = str(entry.placed)
    if entry.candidates is not None:
        members["candidates"] = [digits_in(mask) for mask in entry.candidates]
    if entry.deleted:
        members["deleted"] = sorted([cell, digit] for cell, digit in entry.deleted)
    if entry.solution is not None:
        members["solution"] = str(entry.solution)
    return json.dumps({**members, **entry.facts})


def _masks(cells: object) -> tuple[int, ...]:
    """Return 81 masks from a list of 81 texts of digits, '' for a cell with a digit. Raises
    PuzzleFormatError.
    """
    found = cells if isinstance(cells, list) else []
    if len(found) != 81 or not all(isinstance(each, str) and set(each) <= set(DIGITS) for each in found):
        raise PuzzleFormatError("expected a list of 81 texts under 'candidates'")
    return tuple(map(mask_of, found))


def _deleted(pairs: object) -> frozenset[tuple[int, int]]:
    """Return the struck candidates (cell, digit) from a list of [cell, digit]. Raises PuzzleFormatError."""
    found = pairs if isinstance(pairs, list) else []
    for pair in found:
        if not _are_whole(pair, 81, 10) or not pair[1]:
            raise PuzzleFormatError(
                "expected [cell 0..80, digit 1..9] under 'deleted', found %(found)s", found=f"{pair!r:.40}"
            )
    return frozenset((cell, digit) for cell, digit in found)


def _are_whole(pair: object, first: int, second: int) -> TypeGuard[list[int]]:
    """Whether a value is a list of two whole numbers, from 0 to below `first` and `second`."""
    return (
        isinstance(pair, list)
        and [type(number) for number in pair] == [int, int]
        and 0 <= pair[0] < first
        and 0 <= pair[1] < second
    )


FORMAT: Final = Format(
    "json",
    "JSON lines",
    ".jsonl",
    write,
    line=_of_line,
    document=DocumentReader(recognises, read),
)
