"""SudoCue's .sdx: nine lines of candidates, 'u' before a placed digit; pencilmarks.py reads them."""

from __future__ import annotations

from typing import Final

from engine.formats.entry import Entry
from engine.formats.format import Format
from engine.formats.marks import digits_in, shown


def write(entry: Entry) -> str:
    """Nine lines, cells apart by one blank, 'u' before a digit that the player placed."""
    masks = shown(entry.standing, entry.candidates)
    cells = [
        ("u" if standing and not given else "") + digits_in(mask)
        for mask, standing, given in zip(masks, entry.standing.digits, entry.givens.digits, strict=True)
    ]
    return "\n".join(" ".join(cells[start : start + 9]) for start in range(0, 81, 9))


FORMAT: Final = Format("sdx", "SudoCue work in progress", ".sdx", write)
