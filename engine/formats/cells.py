"""Cell characters: which are digits, which mean an empty cell, and which are layout."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engine.errors import PuzzleFormatError

DIGITS: Final = "123456789"
# In order of preference where several could complete a text to 81 cells.
EMPTIES: Final = "0.X*_- "
CELL_CHARACTERS: Final = frozenset(DIGITS + EMPTIES + "x")

_VALUE: Final = {**{digit: int(digit) for digit in DIGITS}, **dict.fromkeys(EMPTIES + "x", 0)}
_PLAIN: Final = re.compile(r"[0-9.]*")
_PLAIN_VALUE: Final = bytes.maketrans(b"0123456789.", bytes([*range(10), 0]))
# Box-drawing characters, mapped to '-' and '|'.
_STROKES: Final = dict.fromkeys(range(0x2500, 0x2580), "|") | {ord(stroke): "-" for stroke in "─━═╌╍┄┅┈┉╴╶╸╺"}
_SEPARATORS: Final = " \t|,:!\u00a0"


def fold_strokes(text: str) -> str:
    """Unicode box-drawing as '-' and '|'."""
    return text if text.isascii() else text.translate(_STROKES)


def without_separators(text: str) -> str:
    """`text` without the blanks, bars, colons and commas that may stand between cells."""
    for separator in _SEPARATORS:  # ten times faster than translate() beyond ASCII
        text = text.replace(separator, "")
    return text


def empty_character(cells: str) -> str:
    """The character that stands for an empty cell beside '0': the most frequent, ties in order of belief.

    Beside '0' itself only '.' is taken, so that a mistyped 'x' among zeros does not pass for an empty cell.
    """
    if "0" in cells:
        return "."
    folded = cells.replace("x", "X")
    best = max(EMPTIES[1:], key=folded.count)
    return best if best in folded else "."


def plain_digits(cells: str) -> bytes:
    """The digits of a run that is known to hold digits and '.' alone."""
    return cells.encode().translate(_PLAIN_VALUE)


def digits_of(cells: str, *, empty: str | None = None, places: Sequence[int] | None = None) -> bytes:
    """The digits 0..9 of a run of cell characters.

    empty: the character of an empty cell beside '0'; by default the run's own.
    places: the line of each cell, where they stand on several.
    Raises PuzzleFormatError naming the cell and the character, and the line where `places` are given.
    """
    if _PLAIN.fullmatch(cells):
        return plain_digits(cells)
    empty = empty_character(cells) if empty is None else empty
    allowed = {*DIGITS, "0", empty, empty.lower()}
    for cell, character in enumerate(cells):
        if character not in allowed:
            raise PuzzleFormatError(
                "expected 1-9, 0 or %(empty)s, found %(found)s",
                line=None if places is None else places[cell],
                cell=cell,
                character=character,
                empty=f"{empty!r}",
                found=f"{character!r}",
            )
    return bytes(_VALUE[character] for character in cells)
