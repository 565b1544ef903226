"""Nine lines of nine cells, with or without borders, blanks or bars between the cells.

An empty cell may be a character, or nothing if the layout implies its place: a field between commas, tabs or
bars, or a column of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ..errors import PuzzleFormatError
from ..grid import Grid
from .cells import DIGITS, digits_of, empty_character, folded, without_separators
from .entry import Entry
from .format import Format

Numbered = tuple[int, str]  # a line's number and its text

LONGEST_ROW: Final = 400  # characters: nine cells of nine marked candidates each, and borders

_LEVEL_STROKES: Final = re.compile(r"---|===|:-|[─━═╌╍┄┅┈┉]")
_DELIMITERS: Final = "\t;,|&"
_GLUE: Final = " \"'\\"  # around a field
_DIGITS_OR_BLANK: Final = re.compile(r"[1-9 |]*")
# Possible columns of the nine cells: the first one, the distance to the next, and the extra distance between
# boxes.
_STRIDES: Final = (1, 2, 3, 4, 5, 6)
_GAPS: Final = (0, 1, 2, 3)
_MOST_COLUMNS: Final = 80


def is_border(row: str) -> bool:
    """Whether a line draws a border: strokes and no digit."""
    if len(row) > LONGEST_ROW or ("-" not in (plain := folded(row)) and "=" not in plain):
        return False
    if any(digit in plain for digit in DIGITS):
        return False
    strokes = without_separators(plain)
    return _LEVEL_STROKES.search(row) is not None or (len(strokes) not in (0, 9) and not strokes.strip("-="))


def is_row_with_gaps(row: str) -> bool:
    """Whether a line by itself is a row with empty cells between bars or tabs."""
    text = folded(row)
    if _DIGITS_OR_BLANK.fullmatch(text):
        return text.count("|") > 1
    return any(_fields(text, delimiter) for delimiter in _DELIMITERS) or (
        "\t" in text and text.count("\t") < 9 and _is_cells(text.split("\t"))
    )


def parse(text: str) -> Entry:
    """Return the entry of nine rows, skipping borders and lines without cells. Raises PuzzleFormatError."""
    return Entry(Grid(digits_of_rows(list(enumerate(text.split("\n"), 1)))), format="block")


def write(entry: Entry) -> str:
    """Return nine lines of cells, with lines between boxes."""
    line = str(entry.givens)
    rows = [line[start : start + 9] for start in range(0, 81, 9)]
    rule = "+-------+-------+-------+"
    ruled = ["| " + " | ".join(" ".join(row[box : box + 3]) for box in (0, 3, 6)) + " |" for row in rows]
    return "\n".join([rule, *ruled[:3], rule, *ruled[3:6], rule, *ruled[6:], rule])


def digits_of_rows(lines: Sequence[Numbered]) -> bytes:
    """Return the 81 digits 0..9 of nine rows. Raises PuzzleFormatError naming line, cell and character."""
    cut = _cut(lines)
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


def _cut(lines: Sequence[Numbered]) -> list[Numbered]:
    """Split rows into cells; not nine by nine if `lines` aren't a puzzle in any layout."""
    ruled = [(line, folded(text)) for line, text in lines if not is_border(text)]
    rows = [(line, text) for line, text in ruled if text.strip()]
    if len(rows) != 9:  # '-' may mark an empty cell, so that a row of nine of them is no border
        dashed = [
            (line, folded(text))
            for line, text in lines
            if text.strip() and (text.strip() == "-" * 9 or not is_border(text))
        ]
        rows = dashed if len(dashed) == 9 else rows
    dense = [(line, without_separators(text)) for line, text in rows]
    if _is_whole(dense):
        return dense
    for choice in _choices(rows, ruled):
        found = _by_fields(choice) or _by_columns(choice)
        if found:
            return found
    return dense


def _is_whole(cut: Sequence[Numbered]) -> bool:
    return len(cut) == 9 and all(len(cells) == 9 for _, cells in cut)


def _choices(rows: list[Numbered], ruled: list[Numbered]) -> Iterator[list[Numbered]]:
    """Yield the possible choices of nine rows among the lines, which may include blank lines."""
    if len(rows) == 9:
        yield rows
        return
    while len(ruled) > 9 and not ruled[-1][1].strip():
        ruled = ruled[:-1]
    while len(ruled) > 9 and not ruled[0][1].strip():
        ruled = ruled[1:]
    if len(ruled) == 9:
        yield ruled
    elif len(ruled) == 11 and not ruled[3][1].strip() and not ruled[7][1].strip():
        yield [*ruled[:3], *ruled[4:7], *ruled[8:]]


def _by_fields(rows: list[Numbered]) -> list[Numbered]:
    """Return nine rows of nine fields, an empty field being an empty cell; [] if `rows` have another layout.

    Fields at the end may be missing if another row has all nine.
    """
    for delimiter in _DELIMITERS:
        fields = [_fields(text, delimiter) for _, text in rows]
        if not any(fields):
            continue
        padded = [
            found or _padded(text.rstrip().split(delimiter))
            for found, (_, text) in zip(fields, rows, strict=True)
        ]
        if all(padded):
            return [
                (line, "".join(field or "." for field in found))
                for (line, _), found in zip(rows, padded, strict=True)
            ]
    return []


def _padded(fields: list[str]) -> list[str]:
    """Return the fields of cells filled up to nine; [] if they are others or too many."""
    fields = [field.strip(_GLUE) for field in fields]
    return fields + [""] * (9 - len(fields)) if len(fields) <= 9 and _is_cells(fields) else []


def _fields(row: str, delimiter: str) -> list[str]:
    """Return the nine fields of a row, of at most one cell each; [] if there aren't nine."""
    if not 8 <= row.count(delimiter) <= 10:
        return []
    fields = [field.strip(_GLUE) for field in row.split(delimiter)]
    if len(fields) == 11 and not fields[0] and not fields[10]:
        fields = fields[1:10]
    elif len(fields) == 10 and not fields[9]:
        del fields[9]
    return fields if len(fields) == 9 and _is_cells(fields) else []


def _is_cells(fields: Sequence[str]) -> bool:
    return all(len(field.strip(_GLUE)) < 2 for field in fields)


def _by_columns(rows: list[Numbered]) -> list[Numbered]:
    """Return nine rows whose digits are in nine columns of the page; [] if ambiguous.

    Blanks that an editor stripped from the end of a row are empty cells too.
    """
    texts = [text.rstrip() for _, text in rows]
    if not all(_DIGITS_OR_BLANK.fullmatch(text) for text in texts):
        return []
    used = {at for text in texts for at, character in enumerate(text) if character in DIGITS}
    bars = {at for text in texts for at, character in enumerate(text) if character == "|"}
    if not used or max(used) >= _MOST_COLUMNS or used & bars:
        return []
    found = {
        tuple("".join(text[at : at + 1].strip() or "." for at in columns) for text in texts)
        for columns in _columns(min(used), max(used))
        if used.issubset(columns) and _is_ruled(columns, bars)
    }
    if len(found) != 1:
        return []
    return [(line, cells) for (line, _), cells in zip(rows, found.pop(), strict=True)]


def _columns(first: int, last: int) -> Iterator[tuple[int, ...]]:
    """Yield possible sets of nine columns for digits from `first` to `last`."""
    for stride in _STRIDES:
        for gap in _GAPS:
            steps = [stride * column + gap * (column // 3) for column in range(9)]
            for start in range(max(0, last - steps[8]), first + 1):
                yield tuple(start + step for step in steps)


def _is_ruled(columns: tuple[int, ...], bars: set[int]) -> bool:
    """Whether the bars, if any, are around all columns, around boxes, or around each column."""
    groups = [sum(bar < column for bar in bars) for column in columns]
    sizes = {groups.count(group) for group in groups}
    return bars.isdisjoint(columns) and len(sizes) == 1 and sorted(groups) == groups


FORMAT: Final = Format("block", "nine lines with borders", ".txt", write)
