"""gsf's taxonomy line: the grid in the fifth field, the ratings in the first two, a name in the sixth."""

from __future__ import annotations

from typing import Final

from ..errors import PuzzleFormatError
from ..grid import Grid
from .cells import digits_of
from .entry import Entry
from .format import Format, LineReader

_GRID: Final = 4
_MOST_FIELDS: Final = 200
_NAMES: Final = {0: "rating", 1: "second_rating", 5: "name"}


def recognises(text: str) -> bool:
    """Whether a line has six commas and 81 characters in its fifth field."""
    fields = text.split(",", 7)
    return len(fields) >= 7 and len(fields[_GRID].strip()) == 81


def parse(text: str) -> Entry:
    """Return the entry of a taxonomy line, with other fields as facts. Raises PuzzleFormatError."""
    count = text.count(",") + 1
    if not 7 <= count <= _MOST_FIELDS:
        raise PuzzleFormatError(
            "expected 7 to %(most_fields)s fields, found %(found)s", most_fields=_MOST_FIELDS, found=count
        )
    fields = [field.strip() for field in text.strip().split(",")]
    givens = Grid(digits_of(_of_81(fields[_GRID])))
    facts = {_NAMES.get(at, f"field_{at + 1}"): text for at, text in enumerate(fields) if at != _GRID}
    return Entry(givens, format="gsf", facts=facts)


def write(entry: Entry) -> str:
    """Return the taxonomy line with '0' for an empty cell and at least the seven fields that identify it."""
    numbered = {name: at for at, name in _NAMES.items()}
    fields = {_GRID: str(entry.givens).replace(".", "0"), 3: str(entry.givens.givens)}
    for name, value in entry.facts.items():
        at = numbered.get(
            name, int(name[6:]) - 1 if name.startswith("field_") and name[6:].isdigit() else None
        )
        if at is not None:
            fields[at] = value
    return ",".join(fields.get(at, "") for at in range(max(7, *(at + 1 for at in fields))))


def _of_81(cells: str) -> str:
    if len(cells) != 81:
        raise PuzzleFormatError("expected 81 cells, found %(found)s", found=len(cells))
    return cells


FORMAT: Final = Format("gsf", "gsf taxonomy line", ".csv", write, line=LineReader(recognises, parse))
