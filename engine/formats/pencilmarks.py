"""Candidate grids: nine rows of nine cells with their candidates, with or without borders, or 729 characters.

A lone digit is a solved cell unless a peer still lists it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ..errors import PuzzleFormatError
from .block import LONGEST_ROW, Numbered, is_border
from .cells import folded, without_separators
from .entry import Entry
from .format import Format
from .marks import NO_CANDIDATE, cell_of, left_open, mask_of, masks_of, shown, solved

# A cell's candidates and their suffixes: '-' removed, '*' pattern, '#' fin, '@' endo-fin, 'A' set.
_CELL: Final = re.compile(rf"(?:-?[1-9][*#@A-Z]*){{1,9}}|{NO_CANDIDATE}")
_BETWEEN: Final = re.compile(r"[\s|,:!]+")
_DIGIT: Final = re.compile("[1-9]")


def cells_of(row: str) -> list[str]:
    """Return the nine cells of a row of candidates; [] if `row` isn't one."""
    if len(row) > LONGEST_ROW:
        return []
    tokens = [token for token in _BETWEEN.split(folded(row)) if token]
    if len(tokens) != 9:
        return []
    return tokens if all(_CELL.fullmatch(token) and _ascending(token) for token in tokens) else []


def parse_rows(lines: Sequence[Numbered]) -> Entry:
    """Return the entry of nine rows of candidates among `lines`. Raises PuzzleFormatError naming the line."""
    rows = [(line, text) for line, text in lines if text.strip() and not is_border(text)]
    tokens: list[str] = []
    for line, text in rows:
        cells = cells_of(text)
        if not cells:
            raise PuzzleFormatError(
                "expected 9 cells of candidates, found %(found)s", line=line, found=f"{text.strip()!r:.60}"
            )
        tokens += cells
    if len(rows) != 9:
        raise PuzzleFormatError("expected 9 rows of candidates, found %(found)s", found=len(rows))
    masks = [mask_of(_DIGIT.findall(token)) for token in tokens]
    return from_masks(masks)


def parse_dense(text: str) -> Entry | None:
    """Return the entry of 729 characters, nine a cell; None for any other text. Raises PuzzleFormatError."""
    dense = without_separators(text.strip()) if len(text) >= 729 else ""
    return from_masks(masks_of(dense)) if len(dense) == 729 else None


def from_masks(masks: Sequence[int]) -> Entry:
    """Return the entry of a candidate grid, with solved cells by HoDoKu's rule."""
    givens = solved(masks)
    return Entry(givens, format="pencilmarks", candidates=left_open(masks, givens))


def write(entry: Entry) -> str:
    """Return the candidate grid with lines between boxes and aligned columns."""
    cells = [cell_of(mask) for mask in shown(entry.standing, entry.candidates)]
    widths = [max(len(cells[cell]) for cell in range(column, 81, 9)) for column in range(9)]
    boxes = [sum(widths[box : box + 3]) + 6 for box in (0, 3, 6)]
    rule = "+".join("-" * width for width in boxes)
    lines = [f"*{'-' * len(rule)}*"]
    for row in range(9):
        line = ""
        for column in range(9):
            line += ("| " if column % 3 == 0 else "") + cells[9 * row + column].ljust(widths[column] + 1)
            line += " " if column % 3 != 2 else ""
        lines.append(line + "|")
        if row in (2, 5):
            lines.append(f"|{rule}|")
    return "\n".join([*lines, f"*{'-' * len(rule)}*"])


def _ascending(token: str) -> bool:
    digits = [character for character in token if character.isdigit()]
    return all(first < second for first, second in pairwise(digits))


FORMAT: Final = Format("pencilmarks", "candidate grid with borders", ".txt", write, line=parse_dense)
