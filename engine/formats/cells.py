"""Cell characters: digits, signs for an empty cell, and layout."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..errors import PuzzleFormatError

DIGITS: Final = "123456789"
# In order of preference if several could complete a text to 81 cells.
EMPTIES: Final = "0.X*_-? "
CELL_CHARACTERS: Final = frozenset(DIGITS + EMPTIES + "x")

_VALUE: Final = {**{digit: int(digit) for digit in DIGITS}, **dict.fromkeys(EMPTIES + "x", 0)}
_PLAIN: Final = re.compile(r"[0-9.]*")
_PLAIN_VALUE: Final = bytes.maketrans(b"0123456789.", bytes([*range(10), 0]))
# Box-drawing to '-' and '|', other scripts' digits and marks to ASCII, zero-width characters to nothing.
_FOLDS: Final = (
    dict.fromkeys(range(0x2500, 0x2580), "|")
    | dict.fromkeys(map(ord, "─━═╌╍┄┅┈┉╴╶╸╺‐‑‒–—―−－"), "-")
    | dict.fromkeys(map(ord, "·•∙⋅・‧˙∘○◦◯□▢▫◻◽⬜．。"), ".")
    | {
        ord("…"): "...",
        ord("？"): "?",
        ord("＊"): "*",
        ord("＿"): "_",
        ord("｜"): "|",
        ord("￨"): "|",
        ord("，"): ",",
    }
    | {ord("；"): ";", ord("："): ":"}
    | dict.fromkeys(map(ord, "“”„«»‘’‚＂＇"), '"')
    | dict.fromkeys([0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x2800, 0x3000], " ")
    | dict.fromkeys([0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)], "")
    | {first + digit: str(digit) for first in (0x245F, 0x2775, 0x277F, 0x2789) for digit in range(1, 10)}
    | {ord("⓪"): "0", ord("⓿"): "0"}
    | dict.fromkeys([0x20E3, 0xFE0E, 0xFE0F, 0xFEFF], "")
    | {
        zero + value: str(value)
        for zero in (
            0x0660,
            0x06F0,
            0x0966,
            0x09E6,
            0x0E50,
            0xFF10,
            0x1D7CE,
            0x1D7D8,
            0x1D7E2,
            0x1D7EC,
            0x1D7F6,
        )
        for value in range(10)
    }
)
# Words that programs print for missing values in rows of numbers.
_NOTHING: Final = re.compile(r"\b(?:None|null|nil|[Nn]a[Nn]|NA|undefined)\b")
# How an address or a form writes the empty cell of a run: percent-encoded, even twice, or '+' for a blank.
_ENCODED: Final = r"%(?:25)*(?:2[0ADEade]|3[0Ff]|5[Ff])"
_ENCODED_CELLS: Final = re.compile(
    rf"(?<![\w.%+])(?:(?:[0-9]|{_ENCODED}){{81}}|[1-9+]{{81}})(?![\w.%+])|^(?:[0-9]|{_ENCODED}){{9}}$",
    re.ASCII,
)
_ENCODED_CELL: Final = re.compile(rf"{_ENCODED}|\+")
_LETTERED_CELLS: Final = re.compile(r"(?<!\w)[_a-i]{81}(?!\w)")  # in KSudoku
_LETTERED: Final = str.maketrans("_abcdefghi", ".123456789")
_SEPARATORS: Final = " \t|,:!\"'`[](){}"


def folded(text: str) -> str:
    """Return the text with digits, marks and box-drawing in ASCII, and '.' for a program's word for
    nothing.
    """
    text = text if text.isascii() else text.translate(_FOLDS)
    return _NOTHING.sub(".", text) if "n" in text or "N" in text else text


def decoded(text: str) -> str:
    """`text` with '.' for the encoded empty cells of a run of cells, or of a row that is the whole of it."""
    if "<" in text:
        text = _LETTERED_CELLS.sub(lambda run: run[0].translate(_LETTERED), text)
    if "%" not in text and "+" not in text:
        return text
    return _ENCODED_CELLS.sub(lambda run: _ENCODED_CELL.sub(".", run[0]), text)


def without_separators(text: str) -> str:
    """Return `text` without the blanks, bars, commas, quotes and brackets that may surround cells."""
    for separator in _SEPARATORS:  # ten times faster than translate() beyond ASCII
        text = text.replace(separator, "")
    return text


def empty_character(cells: str) -> str:
    """Return the sign for an empty cell besides '0': the most frequent one, ties by preference.

    Together with '0' only '.' is accepted, so that a mistyped 'x' among zeros isn't taken for an empty cell.
    """
    if "0" in cells:
        return "."
    folded = cells.replace("x", "X")
    best = max(EMPTIES[1:], key=folded.count)
    return best if best in folded else "."


def plain_digits(cells: str) -> bytes:
    """Return the digits of a run known to contain only digits and '.'."""
    return cells.encode().translate(_PLAIN_VALUE)


def digits_of(cells: str, *, empty: str | None = None, places: Sequence[int] | None = None) -> bytes:
    """Return the digits 0..9 of a run of cell characters.

    empty: the sign for an empty cell besides '0'; by default detected.
    places: the line of each cell, if they are on several. Raises PuzzleFormatError naming the cell and the
    character, and the line if `places` are given.
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
