"""One JSON object per line with the key `puzzle`: the output of our own commands, so that they can be
chained.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from ..errors import PuzzleFormatError
from . import json_text, line, pencilmarks
from .cells import DIGITS
from .entry import Entry
from .marks import digits_in, mask_of

_BEGINS: Final = re.compile(r'\s*\{(?:[^{}\[\]]*,)?\s*"puzzle"\s*:\s*"')


def recognises(text: str) -> bool:
    """Whether a line opens a JSON object with a puzzle as text."""
    return _BEGINS.match(text) is not None


def parse(text: str) -> Entry:
    """Return the entry of an object; other texts and numbers become facts. Raises PuzzleFormatError."""
    try:
        members = json_text.loads(text)
    except ValueError as error:
        raise PuzzleFormatError("expected a JSON object: %(error)s", error=error) from None
    if not isinstance(members, dict):
        raise PuzzleFormatError("expected a JSON object with the text of its puzzle under 'puzzle'")
    return entry_of(members)


def entry_of(members: Mapping[str, Any]) -> Entry:
    """Return the entry of an object's members; other texts and numbers become facts. Raises
    PuzzleFormatError.
    """
    puzzle = members.get("puzzle")
    if not isinstance(puzzle, str):
        raise PuzzleFormatError("expected a JSON object with the text of its puzzle under 'puzzle'")
    solution, placed, marks = (members.get(name) for name in ("solution", "placed", "candidates"))
    facts = {
        name: str(value)
        for name, value in members.items()
        if name not in ("puzzle", "solution", "placed", "candidates")
        and isinstance(value, str | int | float)
        and not isinstance(value, bool)
    }
    whole = pencilmarks.parse_dense(puzzle) if pencilmarks.is_dense(puzzle) else line.parse(puzzle)
    return Entry(
        whole.givens,
        format="json",
        placed=line.parse(placed).givens if isinstance(placed, str) else None,
        candidates=whole.candidates if marks is None else _masks(marks),
        deleted=_deleted(members.get("deleted")),
        solution=line.parse(solution).givens if isinstance(solution, str) else None,
        facts=facts,
    )


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
    if not isinstance(cells, list) or len(cells) != 81:
        raise PuzzleFormatError("expected a list of 81 texts under 'candidates'")
    for cell, digits in enumerate(cells):
        if not isinstance(digits, str) or not set(digits) <= set(DIGITS):
            raise PuzzleFormatError(
                "expected digits 1-9 under 'candidates', found %(found)s", cell=cell, found=f"{digits!r:.20}"
            )
    return tuple(mask_of(digits) for digits in cells)


def _deleted(pairs: object) -> frozenset[tuple[int, int]]:
    """Return the struck candidates (cell, digit) from a list of [cell, digit]. Raises PuzzleFormatError."""
    found = pairs if isinstance(pairs, list) else []
    for pair in found:
        whole = isinstance(pair, list) and len(pair) == 2 and all(type(number) is int for number in pair)
        if not whole or not 0 <= pair[0] <= 80 or not 1 <= pair[1] <= 9:
            raise PuzzleFormatError(
                "expected [cell 0..80, digit 1..9] under 'deleted', found %(found)s", found=f"{pair!r:.40}"
            )
    return frozenset((cell, digit) for cell, digit in found)
