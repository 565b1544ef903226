"""Nine lines of nine cells, with or without borders, blanks or bars between the cells."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import PuzzleFormatError
from engine.formats.cells import DIGITS, digits_of, empty_character, fold_strokes, without_separators
from engine.grid import Grid


def is_border(row: str) -> bool:
    """Whether a line draws a border: strokes and no digit."""
    return ("---" in row or "===" in row) and not any(digit in row for digit in DIGITS)


def parse_block(lines: Sequence[str], *, first: int = 1) -> Grid:
    """The grid of nine rows; borders and lines without cells are passed over.

    first: the number of the first line, for the error.
    Raises PuzzleFormatError naming line, cell and character.
    """
    numbered = [(first + at, fold_strokes(text).rstrip("\r\n")) for at, text in enumerate(lines)]
    rows = [(line, text) for line, text in numbered if text.strip() and not is_border(text)]
    if len(rows) != 9:  # '-' may be the empty character, and a row of nine of them no border
        dashed = [
            (line, text) for line, text in numbered if text.strip() and (not is_border(text) or _dashes(text))
        ]
        rows = dashed if len(dashed) == 9 else rows
    cut = [(line, without_separators(text)) for line, text in rows]
    if any(len(cells) != 9 for _, cells in cut):
        blanks = [(line, text.replace("|", "").ljust(9)) for line, text in numbered if not is_border(text)]
        blanks = [(line, text) for line, text in blanks if text.strip() or len(blanks) == 9]
        if len(blanks) == 9 and all(len(text) == 9 and set(text) <= set("123456789 ") for _, text in blanks):
            cut = blanks
    for row, (line, cells) in enumerate(cut[:9]):
        if len(cells) != 9:
            raise PuzzleFormatError(f"expected 9 cells in row {row + 1}, found {len(cells)}", line=line)
    if len(cut) != 9:
        raise PuzzleFormatError(
            f"expected 9 rows, found {len(cut)}", line=cut[9][0] if len(cut) > 9 else None
        )
    text = "".join(cells for _, cells in cut)
    return Grid(
        digits_of(text, empty=empty_character(text), places=[cut[cell // 9][0] for cell in range(81)])
    )


def write_block(grid: Grid, *, borders: bool = True, empty: str = ".") -> str:
    """Nine lines of cells, boxes ruled off when `borders` are wanted."""
    line = str(grid).replace(".", empty)
    rows = [line[start : start + 9] for start in range(0, 81, 9)]
    if not borders:
        return "\n".join(rows)
    rule = "+-------+-------+-------+"
    ruled = ["| " + " | ".join(" ".join(row[box : box + 3]) for box in (0, 3, 6)) + " |" for row in rows]
    return "\n".join([rule, *ruled[:3], rule, *ruled[3:6], rule, *ruled[6:], rule])


def _dashes(text: str) -> bool:
    return text.strip() == "-" * 9
