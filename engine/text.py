"""Positions from texts and texts of positions, with digits placed and candidates struck, in every format."""

from __future__ import annotations

from engine.arguments import instance, one_of
from engine.formats import FORMATS, Entry, parse_entry
from engine.grid import Grid
from engine.position import Position


def parse_position(text: str) -> Position:
    """The position of a text in any supported format: its digits, and the candidates it leaves.

    >>> parse_position("12......." + 80 * "123456789").candidates(0)
    (1, 2)

    A text of givens alone has all candidates they leave, as `Position.from_grid`. Raises PuzzleFormatError.
    """
    return position_of(parse_entry(text))


def position_of(entry: Entry) -> Position:
    """The position of an entry, with its own candidates and eliminations."""
    placed = entry.standing
    masks = list(entry.candidates) if entry.candidates is not None else [0x1FF] * 81
    for cell, digit in entry.deleted:
        masks[cell] &= ~(1 << (digit - 1))
    return Position.from_marks(masks, placed, entry.givens)


def write(puzzle: Grid | Position, form: str = "line") -> str:
    """A puzzle as text, without the line's end; `parse` and `parse_position` read it again.

    form: a key of FORMATS. Those of digits alone, such as "line", leave the candidates of a position out.
    """
    instance("puzzle", puzzle, Grid, Position)
    one_of("form", form, FORMATS)
    return FORMATS[form].write(_entry_of(puzzle))


def _entry_of(puzzle: Grid | Position) -> Entry:
    if isinstance(puzzle, Grid):
        return Entry(puzzle)
    digits = puzzle.grid
    masks = tuple(0 if digit else mask for digit, mask in zip(digits.digits, puzzle.masks, strict=True))
    return Entry(puzzle.givens, placed=None if digits == puzzle.givens else digits, candidates=masks)
