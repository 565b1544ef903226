"""SudoCue's .sdx: nine lines of candidates, 'u' before a placed digit; pencilmarks.py reads them."""

from __future__ import annotations

from typing import Final

from .entry import Entry
from .format import Format
from .marks import cell_of, shown


def write(entry: Entry) -> str:
    """Return nine lines, cells separated by one blank, 'u' before a digit that the player placed."""
    masks = shown(entry.standing, entry.candidates)
    cells = [
        ("u" if standing and not given else "") + cell_of(mask)
        for mask, standing, given in zip(masks, entry.standing.digits, entry.givens.digits, strict=True)
    ]
    return "\n".join(" ".join(cells[start : start + 9]) for start in range(0, 81, 9))


FORMAT: Final = Format("sdx", "SudoCue work in progress", ".sdx", write)
