"""f-puzzles links: `f-puzzles.com/?load=` or the prefix `fpuzzles`, then JSON packed by LZ-String.

They carry givens, the player's digits, center and corner marks and the solution; variants are rejected by
name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote

from ..errors import PuzzleFormatError
from ..geometry import BOX_OF
from ..grid import Grid
from . import json_text, lz_string
from .cells import digits_of
from .entry import Entry
from .format import Format
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
MARKS: Final = ("centerPencilMarks", "cornerPencilMarks")  # names in a cell
_FACTS: Final = ("title", "author", "ruleset")


def parse(text: str) -> Entry | None:
    """Return the entry of a link, or of the encoded text with its prefix. Raises PuzzleFormatError."""
    found = _LINK.search(text)
    return of_members(packed_json(found[1])) if found else None


def write(entry: Entry) -> str:
    """Return the link that f-puzzles opens."""
    puzzle: dict[str, Any] = {"size": 9}
    puzzle |= {name: entry.facts[name] for name in _FACTS if name in entry.facts}
    cells = [written(entry, at, MARKS) | ({"given": True} if entry.givens[at] else {}) for at in range(81)]
    puzzle["grid"] = [cells[row : row + 9] for row in range(0, 81, 9)]
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
    for at, cell in enumerate(cells):
        irregular = "irregular regions" if cell.get("region", BOX_OF[at]) != BOX_OF[at] else ""
        if variant := irregular or ("given pencil marks" if cell.get("givenPencilMarks") else ""):
            raise PuzzleFormatError(
                "expected a classic Sudoku, found the variant %(found)s", cell=at, found=variant
            )
    return entry_of("fpuzzles", cells, MARKS, puzzle.get("solution"), facts_of(puzzle, _FACTS))


def entry_of(
    key: str,
    cells: Sequence[dict[str, Any]],
    names: tuple[str, str],
    solution: object = None,
    facts: Mapping[str, str] = MappingProxyType({}),
    given: tuple[str, bool] = ("given", False),
) -> Entry:
    """Build the entry from 81 cells. names: of center and corner marks. given: the name and its default."""
    givens, standing = bytearray(81), bytearray(81)
    for at, cell in enumerate(cells):
        if value := cell.get("value"):
            standing[at] = digit(value, at)
            givens[at] = standing[at] if cell.get(*given) else 0
    placed = Grid(bytes(standing))
    centre, corner = ([marks(cell.get(name), at) for at, cell in enumerate(cells)] for name in names)
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


def written(entry: Entry, at: int, names: tuple[str, str]) -> dict[str, Any]:
    """Return the members of a cell: its digit and its marks under these names."""
    cell: dict[str, Any] = {"value": entry.standing[at]} if entry.standing[at] else {}
    for name, masks in zip(names, (entry.candidates, entry.corners), strict=True):
        if masks is not None and masks[at]:
            cell[name] = [int(mark) for mark in digits_in(masks[at])]
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


FORMAT: Final = Format("fpuzzles", "f-puzzles link", ".url", write, line=parse)
