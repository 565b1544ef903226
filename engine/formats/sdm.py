"""SadMan's .sdm, a collection: one 81-character line per puzzle, '0' for an empty cell. Read like any
line.
"""

from __future__ import annotations

from typing import Final

from .entry import Entry
from .format import Format


def write(entry: Entry) -> str:
    """Return one line of a collection."""
    return str(entry.givens).replace(".", "0")


FORMAT: Final = Format("sdm", "SadMan Sudoku collection", ".sdm", write)
