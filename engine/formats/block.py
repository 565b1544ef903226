"""Nine lines of nine cells, with or without borders, blanks or bars between the cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.errors import PuzzleFormatError
from engine.formats.cells import DIGITS, digits_of, empty_character, fold_strokes, without_separators
from engine.formats.entry import Entry
from engine.formats.format import Format
from engine.grid import Grid

Numbered = tuple[int, str]  # a line's number and its text

LONGEST_ROW: Final = 400  # characters: nine cells of nine candidates, each with its mark, and the borders

_BLANK_STYLE: Final = frozenset(DIGITS + " ")


def is_border(row: str) -> bool:
    """Whether a line draws a border: strokes and no digit."""
    if len(row) > LONGEST_ROW:
        return False
    folded = fold_strokes(row)
    return ("---" in folded or "===" in folded) and not any(digit in folded for digit in DIGITS)


def parse(text: str) -> Entry:
    """The entry of nine rows; borders and lines without cells are passed over. Raises PuzzleFormatError."""
    return Entry(Grid(digits_of_rows(list(enumerate(text.split("\n"), 1)))), format="block")


def write(entry: Entry, *, borders: bool = True, empty: str = ".") -> str:
    """Nine lines of cells, boxes ruled off when `borders` are wanted."""
    line = str(entry.givens).replace(".", empty)
    rows = [line[start : start + 9] for start in range(0, 81, 9)]
    if not borders:
        return "\n".join(rows)
    rule = "+-------+-------+-------+"
    ruled = ["| " + " | ".join(" ".join(row[box : box + 3]) for box in (0, 3, 6)) + " |" for row in rows]
    return "\n".join([rule, *ruled[:3], rule, *ruled[3:6], rule, *ruled[6:], rule])


def digits_of_rows(lines: Sequence[Numbered]) -> bytes:
    """The 81 digits 0..9 of nine rows. Raises PuzzleFormatError naming line, cell and character."""
    rows = [(line, text) for line, text in lines if text.strip() and not is_border(text)]
    if len(rows) != 9:  # '-' may be the empty character, and a row of nine of them no border
        dashed = [
            (line, text)
            for line, text in lines
            if text.strip() and (text.strip() == "-" * 9 or not is_border(text))
        ]
        rows = dashed if len(dashed) == 9 else rows
    cut = [(line, without_separators(fold_strokes(text))) for line, text in rows]
    if len(cut) != 9 or any(len(cells) != 9 for _, cells in cut):
        cut = _blank_style(lines) or cut
    for row, (line, cells) in enumerate(cut[:9]):
        if len(cells) != 9:
            raise PuzzleFormatError(
                "expected 9 cells in row %(row)s, found %(found)s",
                line=line,
                row=row + 1,
                found=len(cells),
            )
    if len(cut) != 9:
        raise PuzzleFormatError(
            "expected 9 rows, found %(found)s", line=cut[9][0] if len(cut) > 9 else None, found=len(cut)
        )
    text = "".join(cells for _, cells in cut)
    return digits_of(text, empty=empty_character(text), places=[cut[cell // 9][0] for cell in range(81)])


def _blank_style(lines: Sequence[Numbered]) -> list[Numbered]:
    """Nine rows of exactly nine characters in which a blank is an empty cell; [] where `lines` are none."""
    rows = [
        (line, fold_strokes(text).replace("|", "").rstrip("\r\n"))
        for line, text in lines
        if not is_border(text)
    ]
    while len(rows) > 9 and not rows[-1][1].strip():
        rows.pop()
    if len(rows) != 9 or any(len(cells) > 9 or not _BLANK_STYLE.issuperset(cells) for _, cells in rows):
        return []
    return [(line, cells.ljust(9)) for line, cells in rows]


FORMAT: Final = Format("block", "nine lines with borders", ".txt", write)
