"""Formats without a program of their own: the line, the block, the candidate grid, collections of lines."""

from __future__ import annotations

import re
from typing import Final

from ..grid import Grid
from .cells import digits_of
from .entry import Entry
from .finder import candidates_in
from .format import Format
from .marks import NO_CANDIDATE, digits_in, shown

_BANK: Final = re.compile(r"([0-9a-f]{12}) +([0-9.]{81}) +(\d+\.\d+)")


def _line(entry: Entry) -> str:
    """Return the givens with '.' for an empty cell, and the comment after ' # '."""
    return f"{entry.givens} # {entry.comment}" if entry.comment else str(entry.givens)


def _block(entry: Entry) -> str:
    """Return nine lines of cells, with lines between boxes."""
    rule = "+-------+-------+-------+"
    ruled = [
        "| " + " | ".join(" ".join(row[box : box + 3]) for box in (0, 3, 6)) + " |"
        for row in rows(entry.givens)
    ]
    return "\n".join([rule, *ruled[:3], rule, *ruled[3:6], rule, *ruled[6:], rule])


def rows(grid: Grid) -> list[str]:
    """Return the nine rows of a grid's line."""
    line = str(grid)
    return [line[start : start + 9] for start in range(0, 81, 9)]


def candidate_grid(entry: Entry) -> str:
    """Return the candidate grid with lines between boxes and aligned columns."""
    cells = [digits_in(mask) or NO_CANDIDATE for mask in shown(entry.standing, entry.candidates)]
    widths = [max(len(cells[cell]) for cell in range(column, 81, 9)) for column in range(9)]
    rule = "+".join("-" * (sum(widths[box : box + 3]) + 6) for box in (0, 3, 6))
    lines = [f"*{'-' * len(rule)}*"]
    for row in range(9):
        padded = [cells[9 * row + column].ljust(widths[column]) for column in range(9)]
        lines.append("".join(f"| {'  '.join(padded[box : box + 3])} " for box in (0, 3, 6)) + "|")
        if row in (2, 5):
            lines.append(f"|{rule}|")
    return "\n".join([*lines, f"*{'-' * len(rule)}*"])


def _of_bank(text: str) -> Entry | None:
    """Return the entry of a line of hash, puzzle and rating, as in the Sudoku Exchange puzzle bank."""
    found = _BANK.fullmatch(text.strip())
    facts = {"hash": found[1], "rating": found[3]} if found else {}
    return Entry(Grid(digits_of(found[2])), format="puzzle_bank", facts=facts) if found else None


def _bank(entry: Entry) -> str:
    """Return hash, puzzle with '0', rating; twelve zeros for an unknown hash."""
    cells = str(entry.givens).replace(".", "0")
    return f"{entry.facts.get('hash', '0' * 12)} {cells} {entry.facts.get('rating', '0.0'):>4}"


LINE: Final = Format("line", "81-character line", ".txt", _line)
BLOCK: Final = Format("block", "nine lines with borders", ".txt", _block)
# SadMan's collection: a puzzle a line, read like any line
SDM: Final = Format(
    "sdm", "SadMan Sudoku collection", ".sdm", lambda entry: str(entry.givens).replace(".", "0")
)
PUZZLE_BANK: Final = Format("puzzle_bank", "Sudoku Exchange puzzle bank", ".txt", _bank, line=_of_bank)
PENCILMARKS: Final = Format(
    "pencilmarks", "candidate grid with borders", ".txt", candidate_grid, line=candidates_in
)
