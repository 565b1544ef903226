"""f-puzzles links: `f-puzzles.com/?load=` or the prefix `fpuzzles`, then JSON packed by LZ-String.

They carry givens, the player's digits, center and corner marks and the solution; variants are rejected by
name.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final
from urllib.parse import quote

from ..errors import PuzzleFormatError
from ..geometry import BOX_OF
from ..grid import Grid
from . import json_text, lz_string
from .cells import digits_of
from .entry import Entry
from .format import Format, LineReader
from .marks import digits_in, left_open, mask_of

ADDRESS: Final = "https://www.f-puzzles.com/?load="
_LINK: Final = re.compile(
    r"(?:f-puzzles\.com/\S{0,99}[?&]load=|(?:^|[/=])fpuz(?:zles)?(?=[A-Za-z0-9%]{8}))([^&#\s]+)"
)
# Members that change no rule. Any other non-empty member is a variant and is rejected by its own name.
_HARMLESS: Final = frozenset(
    {"size", "title", "author", "ruleset", "grid", "solution", "highlightConflicts"}
    | {"successMessage", "disabledlogic", "truecandidatesoptions"}
)
_FACTS: Final = ("title", "author", "ruleset")


def recognises(text: str) -> bool:
    """Whether a line is such a link, or the encoded string with its prefix."""
    return _LINK.search(text) is not None


def parse(text: str) -> Entry:
    """Return the entry of a link. Raises PuzzleFormatError."""
    found = _LINK.search(text)
    if found is None:
        raise PuzzleFormatError("expected an f-puzzles link")
    return of_members(packed_json(found[1]))


def write(entry: Entry) -> str:
    """Return the link that f-puzzles opens."""
    puzzle: dict[str, Any] = {"size": 9}
    puzzle |= {name: entry.facts[name] for name in _FACTS if name in entry.facts}
    puzzle["grid"] = [[_cell(entry, 9 * row + column) for column in range(9)] for row in range(9)]
    if entry.solution is not None:
        puzzle["solution"] = list(entry.solution.digits)
    return ADDRESS + quote(lz_string.compress(json.dumps(puzzle, separators=(",", ":"))), safe="")


def packed_json(code: str) -> dict[str, Any]:
    """Return the object packed in a link. Raises PuzzleFormatError."""
    try:
        members = json_text.loads(lz_string.decompress(code))
    except PuzzleFormatError:
        raise
    except ValueError:
        raise PuzzleFormatError("expected JSON in the packed text, found something else") from None
    if not isinstance(members, dict):
        raise PuzzleFormatError("expected a JSON object in the packed text")
    return members


def of_members(puzzle: dict[str, Any]) -> Entry:
    """Return the entry of a link's object. Raises PuzzleFormatError."""
    if puzzle.get("size", 9) != 9:
        raise PuzzleFormatError(
            "expected a grid of 9x9, found size %(found)s", found=f"{puzzle.get('size')!r:.20}"
        )
    variants = sorted(name for name, content in puzzle.items() if content and name not in _HARMLESS)
    if variants:
        raise PuzzleFormatError(
            "expected a classic Sudoku, found the variant %(found)s", found=f"{', '.join(variants):.200}"
        )
    cells = cells_of(puzzle.get("grid"), "grid")
    givens, standing = bytearray(81), bytearray(81)
    centre, corner = [0] * 81, [0] * 81
    for at, cell in enumerate(cells):
        if cell.get("region", BOX_OF[at]) != BOX_OF[at]:
            raise PuzzleFormatError("expected a classic Sudoku, found the variant irregular regions", cell=at)
        if cell.get("givenPencilMarks"):
            raise PuzzleFormatError(
                "expected a classic Sudoku, found the variant given pencil marks", cell=at
            )
        if value := cell.get("value"):
            standing[at] = digit(value, at)
            givens[at] = standing[at] if cell.get("given") else 0
        centre[at] = marks(cell.get("centerPencilMarks"), at)
        corner[at] = marks(cell.get("cornerPencilMarks"), at)
    return entry_of(
        "fpuzzles", givens, standing, centre, corner, puzzle.get("solution"), facts_of(puzzle, _FACTS)
    )


def entry_of(
    key: str,
    givens: bytearray,
    standing: bytearray,
    centre: list[int],
    corner: list[int],
    solution: object,
    facts: dict[str, str],
) -> Entry:
    """Build the entry from the 81 cells of a link."""
    placed = Grid(bytes(standing))
    return Entry(
        Grid(bytes(givens)),
        format=key,
        placed=None if givens == standing else placed,
        candidates=left_open(centre, placed) if any(centre) else None,
        corners=left_open(corner, placed) if any(corner) else None,
        solution=_solution(solution),
        facts=facts,
    )


def cells_of(rows: object, name: str) -> list[dict[str, Any]]:
    """Return the 81 cells of nine rows of nine objects. Raises PuzzleFormatError."""
    if (
        not isinstance(rows, list)
        or len(rows) != 9
        or not all(isinstance(row, list) and len(row) == 9 for row in rows)
    ):
        raise PuzzleFormatError("expected nine rows of nine cells under %(name)s", name=f"{name!r}")
    cells = [cell for row in rows for cell in row]
    for at, cell in enumerate(cells):
        if not isinstance(cell, dict):
            raise PuzzleFormatError("expected an object for a cell", cell=at)
    return cells


def digit(value: object, cell: int) -> int:
    """Return a digit 1..9, which JSON may hold as a number or as text. Raises PuzzleFormatError naming the
    cell.
    """
    if str(value) in tuple("123456789"):
        return int(str(value))
    raise PuzzleFormatError(
        "expected a digit 1-9, found %(found)s", cell=cell, character=f"{value!s:.20}", found=f"{value!r:.20}"
    )


def marks(values: object, cell: int) -> int:
    """Return the mask of a list of digits; 0 for none. Raises PuzzleFormatError naming the cell."""
    if not values:
        return 0
    if not isinstance(values, list):
        raise PuzzleFormatError(
            "expected a list of marks, found %(found)s", cell=cell, found=f"{values!r:.20}"
        )
    return mask_of(digit(value, cell) for value in values)


def facts_of(members: dict[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    """Return the members among `names` that are non-empty text."""
    return {name: members[name] for name in names if isinstance(members.get(name), str) and members[name]}


def _cell(entry: Entry, at: int) -> dict[str, Any]:
    cell: dict[str, Any] = {}
    if entry.standing[at]:
        cell["value"] = entry.standing[at]
    if entry.givens[at]:
        cell["given"] = True
    if entry.candidates is not None and entry.candidates[at]:
        cell["centerPencilMarks"] = [int(mark) for mark in digits_in(entry.candidates[at])]
    if entry.corners is not None and entry.corners[at]:
        cell["cornerPencilMarks"] = [int(mark) for mark in digits_in(entry.corners[at])]
    return cell


def _solution(value: object) -> Grid | None:
    """Return the link's solution, given as text or list; None if it doesn't have 81 cells."""
    if isinstance(value, list):
        value = "".join(str(item or ".")[:1] for item in value)
    if not isinstance(value, str) or len(value) != 81:
        return None
    try:
        return Grid(digits_of(value))
    except PuzzleFormatError:
        return None


FORMAT: Final = Format("fpuzzles", "f-puzzles link", ".url", write, line=LineReader(recognises, parse))
