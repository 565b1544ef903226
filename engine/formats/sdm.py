"""SadMan's .sdm, a collection: one 81-character line a puzzle, '0' for an empty cell. Read as any line is."""

from __future__ import annotations

from typing import Final

from engine.formats import line
from engine.formats.entry import Entry
from engine.formats.format import Format


def write(entry: Entry) -> str:
    """One line of a collection."""
    return line.write(Entry(entry.givens), empty="0")


FORMAT: Final = Format("sdm", "SadMan Sudoku collection", ".sdm", write)
