"""f-puzzles links: `f-puzzles.com/?load=` or the prefix `fpuzzles`, then JSON packed by LZ-String.

They carry givens, the player's digits, center and corner marks and the solution; variants are rejected by
name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
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
    return of_members(json_text.object_in(lz_string.decompress(found[1]))) if found else None


def write(entry: Entry) -> str:
    """Return the link that f-puzzles opens."""
    puzzle: dict[str, Any] = {"size": 9}
    puzzle |= {name: entry.facts[name] for name in _FACTS if name in entry.facts}
    cells = [written(entry, at, MARKS) | ({"given": True} if entry.givens[at] else {}) for at in range(81)]
    puzzle["grid"] = [cells[row : row + 9] for row in range(0, 81, 9)]
    if entry.solution is not None:
        puzzle["solution"] = list(entry.solution.digits)
    return ADDRESS + quote(lz_string.compress(json.dumps(puzzle, separators=(",", ":"))), safe="")


def refuse_variants(names: Iterable[str], cell: int | None = None) -> None:
    """Raise PuzzleFormatError if there are any."""
    if found := ", ".join(sorted(set(names))):
        raise PuzzleFormatError(
            "expected a classic Sudoku, found the variant %(found)s", cell=cell, found=f"{found:.200}"
        )


def of_members(puzzle: dict[str, Any]) -> Entry:
    """Return the entry of a link's object. Raises PuzzleFormatError."""
    if puzzle.get("size", 9) != 9:
        raise PuzzleFormatError(
            "expected a grid of 9x9, found size %(found)s", found=f"{puzzle.get('size')!r:.20}"
        )
    refuse_variants(name for name, content in puzzle.items() if content and name not in _HARMLESS)
    cells = cells_of(puzzle.get("grid"), "grid")
    for at, cell in enumerate(cells):
        refuse_variants(["irregular regions"] if cell.get("region", BOX_OF[at]) != BOX_OF[at] else [], at)
        refuse_variants(["given pencil marks"] if cell.get("givenPencilMarks") else [], at)
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
    givens, standing, solved = bytearray(81), bytearray(81), None
    if isinstance(solution, list):
        solution = "".join(str(item or ".")[:1] for item in solution)
    if isinstance(solution, str) and len(solution) == 81:
        with suppress(PuzzleFormatError):
            solved = Grid(digits_of(solution))
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
        solution=solved,
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


FORMAT: Final = Format("fpuzzles", "f-puzzles link", ".url", write, line=parse)
