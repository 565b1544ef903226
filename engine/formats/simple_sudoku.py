"""Simple Sudoku's .ss drawing, and its clipboard: givens, optionally current values, then the candidates."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..grid import Grid
from .entry import Entry
from .format import Format
from .marks import digits_in, left_open, shown, solved
from .plain import candidate_grid, rows

FRAME: Final = "*-----------*"
_RULE: Final = "|---+---+---|"


def write(entry: Entry) -> str:
    """Return a drawing of the givens; with placed digits a second one, and with candidates or placed
    digits their grid.
    """
    pictures = [_picture(entry.givens)]
    if entry.placed is not None:
        pictures.append(_picture(entry.placed))
    if entry.placed is not None or entry.candidates is not None:
        pictures.append(candidate_grid(entry))
    return "\n\n".join(pictures)


def joined(givens: Entry, marks: Entry, values: Entry | None = None) -> Entry | None:
    """Combine givens, current values and the candidate grid after them; None if they aren't the same puzzle.

    Without values, the digits alone in their cell are placed.
    """
    masks = shown(marks.standing, marks.candidates)
    placed = (values or givens).givens
    kept = all(given in (0, digit) for given, digit in zip(givens.givens.digits, placed.digits, strict=True))
    shows = zip(placed.digits, masks, strict=True)
    if not kept or not all(not digit or digits_in(mask) == str(digit) for digit, mask in shows):
        return None
    if values is None:
        pairs = zip(placed.digits, solved(masks).digits, strict=True)
        placed = Grid(bytes(given or mark for given, mark in pairs))
    return replace(
        givens,
        format="simple_sudoku",
        placed=None if values is None and placed == givens.givens else placed,
        candidates=left_open(masks, placed),
    )


def _picture(grid: Grid) -> str:
    drawn = [f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in rows(grid)]
    return "\n".join(f" {row}" for row in [FRAME, *drawn[:3], _RULE, *drawn[3:6], _RULE, *drawn[6:], FRAME])


FORMAT: Final = Format("simple_sudoku", "Simple Sudoku", ".ss", write)
