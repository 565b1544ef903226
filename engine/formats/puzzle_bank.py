"""A line of the Sudoku Exchange puzzle bank: a hash of twelve hex digits, the puzzle, its rating."""

from __future__ import annotations

import re
from typing import Final

from ..grid import Grid
from .cells import digits_of
from .entry import Entry
from .format import Format

_LINE: Final = re.compile(r"([0-9a-f]{12}) +([0-9.]{81}) +(\d+\.\d+)")


def parse(text: str) -> Entry | None:
    """Return the entry of a line of hash, puzzle and rating."""
    found = _LINE.fullmatch(text.strip())
    facts = {"hash": found[1], "rating": found[3]} if found else {}
    return Entry(Grid(digits_of(found[2])), format="puzzle_bank", facts=facts) if found else None


def write(entry: Entry) -> str:
    """Return hash, puzzle with '0', rating; twelve zeros for an unknown hash."""
    cells = str(entry.givens).replace(".", "0")
    return f"{entry.facts.get('hash', '0' * 12)} {cells} {entry.facts.get('rating', '0.0'):>4}"


FORMAT: Final = Format("puzzle_bank", "Sudoku Exchange puzzle bank", ".txt", write, line=parse)
