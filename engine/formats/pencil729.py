"""The 729-character candidate grid: nine characters a cell, the digit itself or '.' or '0' for an absent
one.
"""

from __future__ import annotations

from typing import Final

from ..errors import PuzzleFormatError
from .cells import without_separators
from .entry import Entry
from .format import Format, LineReader
from .marks import shown
from .pencilmarks import from_masks


def recognises(text: str) -> bool:
    """Whether a line has 729 characters, without separators."""
    return len(text) >= 729 and len(without_separators(text.strip())) == 729


def parse(text: str) -> Entry:
    """Return the entry of 729 characters; a lone digit that no peer lists is placed. Raises
    PuzzleFormatError.
    """
    dense = without_separators(text.strip())
    if len(dense) != 729:
        raise PuzzleFormatError("expected 729 characters, found %(found)s", found=len(dense))
    masks = [0] * 81
    for at, character in enumerate(dense):
        cell, digit = at // 9, at % 9 + 1
        if character == str(digit):
            masks[cell] |= 1 << (digit - 1)
        elif character not in ".0":
            raise PuzzleFormatError(
                "expected %(digit)s, 0 or '.', found %(found)s",
                cell=cell,
                character=character,
                digit=digit,
                found=f"{character!r}",
            )
    return from_masks(masks, "pencil729")


def write(entry: Entry) -> str:
    """Return 729 characters, '.' for an absent candidate; a placed digit is alone in its cell."""
    masks = shown(entry.standing, entry.candidates)
    return "".join(str(bit + 1) if mask >> bit & 1 else "." for mask in masks for bit in range(9))


FORMAT: Final = Format(
    "pencil729", "729-character candidates", ".txt", write, line=LineReader(recognises, parse)
)
