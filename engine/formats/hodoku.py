"""HoDoKu's library line: a position and the step that a technique must find in it.

`:technique:candidates:grid:deleted:eliminations:placements:extra`, where `+` precedes a placed digit and a
candidate is three digits: digit, row, column.
"""

from __future__ import annotations

import re
from typing import Final

from ..errors import PuzzleFormatError
from ..grid import Grid
from .cells import DIGITS, digits_of
from .entry import Entry
from .format import Format
from .marks import struck

_FIELDS: Final = ("technique", "digits", "eliminations", "placements", "extra")
_TECHNIQUE: Final = re.compile(r"\d{4,5}(?:-[\dx]+)*")
_CANDIDATE: Final = re.compile(r"[1-9]{3}")
_CELL: Final = re.compile(r"\+?[^+]|\+")


def parse(text: str) -> Entry | None:
    """Return the entry of a line with six or seven colons: its facts keep the technique and what it finds.

    Raises PuzzleFormatError naming the cell and the character.
    """
    if not text.startswith(":") or text.count(":") not in (6, 7):
        return None
    _, technique, digits, grid, deleted, *rest = text.strip().split(":")
    if technique and not _TECHNIQUE.fullmatch(technique):
        raise PuzzleFormatError(
            "expected a technique of four digits, found %(found)s", found=f"{technique!r:.20}"
        )
    cells: list[str] = _CELL.findall(grid)
    count = len(cells) - cells.count("+")
    if count != 81:
        raise PuzzleFormatError("expected 81 cells, found %(found)s", found=count)
    for cell, written in enumerate(cells):
        if written[0] == "+" and written[1:] not in tuple(DIGITS):
            raise PuzzleFormatError("expected a digit after '+'", cell=min(cell, 80), character="+")
    standing = digits_of("".join(cells).replace("+", ""))
    givens = bytes(0 if each[0] == "+" else digit for each, digit in zip(cells, standing, strict=True))
    eliminations, placements, extra = [*rest, ""][:3]
    facts = dict(zip(_FIELDS, (technique, digits, eliminations, placements, extra), strict=True))
    return Entry(
        Grid(givens),
        format="hodoku",
        placed=None if standing == givens else Grid(standing),
        deleted=frozenset(candidates(deleted)),
        facts={name: value for name, value in facts.items() if value},
    )


def candidates(text: str) -> list[tuple[int, int]]:
    """Return (cell, digit) of blank-separated candidates such as '442 947'. Raises PuzzleFormatError."""
    words = text.split(maxsplit=729)
    if len(words) > 729:
        raise PuzzleFormatError("expected at most 729 candidates, found more")
    found = []
    for word in words:
        if not _CANDIDATE.fullmatch(word):
            raise PuzzleFormatError("expected digit, row and column, found %(found)s", found=f"{word!r:.20}")
        digit, row, column = map(int, word)
        found.append((9 * (row - 1) + column - 1, digit))
    return found


def write(entry: Entry) -> str:
    """Return the library line; '0000' if the entry names no technique."""
    cells = [
        ("+" if digit and not given else "") + (str(digit) if digit else ".")
        for given, digit in zip(entry.givens.digits, entry.standing.digits, strict=True)
    ]
    gone = sorted(entry.deleted | struck(entry.standing, entry.candidates))
    deleted = " ".join(f"{digit}{cell // 9 + 1}{cell % 9 + 1}" for cell, digit in gone)
    facts = {"technique": "0000", **entry.facts}
    technique, digits, eliminations, placements, extra = (facts.get(name, "") for name in _FIELDS)
    return ":".join(["", technique, digits, "".join(cells), deleted, eliminations, placements, extra])


FORMAT: Final = Format("hodoku", "HoDoKu library line", ".txt", write, line=parse)
