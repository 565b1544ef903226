"""SudokuPad links: the prefix `scl` or `ctc`, then LZ-String base64 of JSON or of SudokuPad's abbreviated
JSON.

The packed text carries givens, marks, title, author and solution. Variants are rejected by name, and so are
URLs that only refer to a puzzle stored elsewhere, since nothing is ever fetched. The packed text may also be
alone, with f-puzzles' members as well as SudokuPad's.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final
from urllib.parse import quote

from ..errors import PuzzleFormatError
from ..geometry import HOUSES
from . import fpuzzles, json_text, lz_string
from .entry import Entry
from .format import Format
from .fpuzzles import cells_of, entry_of, facts_of, refuse_variants, written

ADDRESS: Final = "https://sudokupad.app/"
_LINK: Final = re.compile(r"(?:^|[/=])(?:scl|ctc)([A-Za-z0-9+/%_=-]{8,})")
_SITE: Final = re.compile(r"(?:sudokupad\.app|app\.crackingthecryptic\.com)/", re.IGNORECASE)
_CELLS: Final = re.compile(r"[/=][0-9.]{81}(?![0-9.])")
_PREFIXED: Final = re.compile(r"(?:scl|ctc)[A-Za-z0-9+/%_=-]{8}")
_BARE: Final = re.compile(r"N4Ig[A-Za-z0-9+/%_=-]{60,}")  # the beginning of a packed JSON object
# The member names that SudokuPad abbreviates, as far as classic puzzles have them.
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
_FLAGS: Final = {"t": "true", "true": "true", "f": "false", "false": "false"}
_TOKENS: Final = re.compile(
    r"""('(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")|([,:{}\[\]'"])|([^,:{}\[\]'"]+)""", re.DOTALL
)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_MARKS: Final = ("centremarks", "pencilMarks")
_METADATA: Final = ("title", "author", "rules")
_METADATA_CAGE: Final = re.compile(r"(title|author|rules|solution|source|msgcorrect): ?(.*)", re.DOTALL)
_BOXES: Final = frozenset(frozenset(house) for house in HOUSES[18:])
_ANY_HOUSE: Final = frozenset(frozenset(house) for house in HOUSES)


def parse(text: str) -> Entry | None:
    """Return the entry of a link, or of the packed text alone, with or without its prefix. Raises
    PuzzleFormatError.
    """
    alone = text.strip()
    bare = _BARE.fullmatch(alone)
    if _CELLS.search(text) if _SITE.search(text) else not (bare or _PREFIXED.match(alone)):
        return None
    found = _LINK.search(alone)
    if found is None and bare is None:
        raise PuzzleFormatError(
            "expected a SudokuPad link that holds its puzzle (scl...), found one that only refers to it"
        )
    packed = lz_string.decompress(found[1] if found else alone)
    quoted = packed.lstrip("{ ").startswith('"')
    return of_members(json_text.object_in(packed) if quoted else _abbreviated(packed))


def of_members(puzzle: dict[str, Any]) -> Entry:
    """Return the entry of a link's object, f-puzzles' included. Raises PuzzleFormatError."""
    if "grid" in puzzle:
        return fpuzzles.of_members(puzzle)
    metadata = puzzle.get("metadata")
    fields: dict[str, Any] = {**puzzle, **(metadata if isinstance(metadata, dict) else {})}
    variants = [
        name
        for name, content in puzzle.items()
        if name not in _HARMLESS and isinstance(content, list | dict) and content
    ]
    variants += [
        name for name in ("antiknight", "antiking", "fogofwar", "nonconsecutive") if fields.get(name)
    ]
    cages = puzzle.get("cages") or []
    for cage in cages if isinstance(cages, list) else []:
        if not isinstance(cage, dict):
            continue
        if named := _METADATA_CAGE.fullmatch(str(cage.get("value", ""))):
            fields.setdefault(named[1], named[2])
        # A cage may only repeat the rule of a house.
        elif cage.get("cells") and (
            cage.get("value") or cage.get("sum") or _cells(cage["cells"]) not in _ANY_HOUSE
        ):
            variants.append("cages")
    regions = puzzle.get("regions")
    if regions and (not isinstance(regions, list) or {_cells(region) for region in regions} - _BOXES):
        variants.append("irregular regions")
    refuse_variants(variants)
    cells, solution = cells_of(puzzle.get("cells"), "cells"), fields.get("solution")
    return entry_of("sudokupad", cells, _MARKS, solution, facts_of(fields, _METADATA), ("given", True))


def write(entry: Entry) -> str:
    """Return the link that SudokuPad opens."""
    each = [
        written(entry, at, _MARKS) | ({"given": False} if entry.standing[at] and not entry.givens[at] else {})
        for at in range(81)
    ]
    cells = [each[row : row + 9] for row in range(0, 81, 9)]
    boxes = [[[cell // 9, cell % 9] for cell in house] for house in HOUSES[18:]]
    metadata = {name: entry.facts[name] for name in _METADATA if name in entry.facts}
    if entry.solution is not None:
        metadata["solution"] = str(entry.solution)
    puzzle = {"cellSize": 50, "metadata": metadata, "regions": boxes, "cells": cells}
    code = lz_string.compress(json.dumps(puzzle, separators=(",", ":")))
    return f"{ADDRESS}scl{quote(code, safe='')}"


def _cells(pairs: Any) -> frozenset[int]:
    """Return the cells of [row, column] pairs; none if one is outside the grid."""
    try:
        return frozenset(
            9 * range(9)[row] + range(9)[column] for row, column in pairs if min(row, column) >= 0
        )
    except (IndexError, TypeError, ValueError):
        return frozenset()


def _long_names(value: Any) -> Any:
    """Expand abbreviated member names recursively."""
    if isinstance(value, dict):
        return {_LONG_NAMES.get(name, name): _long_names(content) for name, content in value.items()}
    return [_long_names(item) for item in value] if isinstance(value, list) else value


def _abbreviated(text: str) -> dict[str, Any]:
    """Parse abbreviated JSON: bare names, single quotes, t and f, bare colors, nothing for `{}`. Raises
    PuzzleFormatError.
    """
    out: list[str] = []
    before = ""  # the mark before; empty after a value
    for quoted, mark, bare in _TOKENS.findall(text):
        word = bare.strip()
        if bare and not word:
            continue
        if not mark:
            name = word or _ESCAPED.sub(r"\1", quoted[1:-1])
            is_number = word.isdecimal() and word.isascii() and len(word) < 10
            out.append(_FLAGS.get(word) or (str(int(word)) if is_number else json.dumps(name)))
        elif mark == ":":
            out[-1:] = [json.dumps(name), mark]
        elif mark == "}" and before == ",":
            out[-1] = mark
        else:
            left_out = (before == ":" and mark in ",}") or (before in ("[", ",") and mark in ",]")
            out += ["{}", mark] if left_out else [mark]
        before = mark
    members: dict[str, Any] = _long_names(json_text.object_in("".join(out)))
    return members


FORMAT: Final = Format("sudokupad", "SudokuPad link", ".url", write, line=parse)
