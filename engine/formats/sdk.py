"""SadMan's .sdk: '#' header lines, then nine rows, or sections with values and candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..errors import PuzzleFormatError
from ..grid import Grid
from .entry import Entry
from .finder import Numbered, digits_of_rows
from .format import Format
from .marks import digits_in, left_open, mask_of, shown
from .plain import rows

HEADERS: Final = {
    "A": "author",
    "B": "published",
    "C": "comment",
    "D": "description",
    "H": "givens",
    "L": "level",
    "N": "solutions",
    "S": "source",
    "U": "url",
}
_LETTERS: Final = {name: letter for letter, name in HEADERS.items()}


def header(text: str) -> dict[str, str]:
    """Return the fact of a header line '#LEasy', by its name; none of an ordinary comment."""
    name, content = HEADERS.get(text[1:2]), text[2:].strip()
    return {name: content} if name and content else {}


def state(puzzle: Entry, lines: Sequence[Numbered]) -> Entry:
    """Return the puzzle with the current values of its [State]. Raises PuzzleFormatError."""
    standing = Grid(digits_of_rows(lines))
    for cell, (given, digit) in enumerate(zip(puzzle.givens.digits, standing.digits, strict=True)):
        if given not in (0, digit):
            raise PuzzleFormatError(
                "expected the given %(given)s in [State], found %(found)s",
                line=lines[0][0],
                cell=cell,
                character=str(digit),
                given=given,
                found=digit,
            )
    return replace(puzzle, placed=standing)


def pencil_marks(puzzle: Entry, lines: Sequence[Numbered]) -> Entry:
    """Return the puzzle with the comma-separated candidates of its [PencilMarks]. Raises
    PuzzleFormatError.
    """
    masks: list[int] = []
    for number, text in lines:
        cells = [cell.strip() for cell in text.split(",")]
        if len(cells) != 9 or not set("".join(cells)) <= set("123456789"):
            raise PuzzleFormatError(
                "expected 9 cells of candidates, found %(found)s", line=number, found=f"{text.strip()!r:.60}"
            )
        masks += map(mask_of, cells)
    if len(masks) != 81:
        raise PuzzleFormatError(
            "expected 9 rows of candidates, found %(found)s", line=lines[0][0], found=len(masks) // 9
        )
    return replace(puzzle, candidates=left_open(masks, puzzle.standing))


def write(entry: Entry) -> str:
    """Return header lines for the facts with a letter, [Puzzle], and the sections with content."""
    lines = [f"#{_LETTERS[name]}{content}" for name, content in entry.facts.items() if name in _LETTERS]
    lines += ["[Puzzle]", *rows(entry.givens)]
    if entry.placed is not None:
        lines += ["[State]", *rows(entry.placed)]
    if entry.candidates is not None:
        masks = left_open(shown(entry.standing, entry.candidates), entry.standing)
        cells = [digits_in(mask) for mask in masks]
        lines += ["[PencilMarks]", *(",".join(cells[start : start + 9]) for start in range(0, 81, 9))]
    return "\n".join(lines)


FORMAT: Final = Format("sdk", "SadMan Sudoku", ".sdk", write)
