"""FORMATS: every format in the order of recognition; the first that matches is used."""

from __future__ import annotations

from typing import Final

from . import (
    fpuzzles,
    hodoku,
    json_document,
    opensudoku,
    plain,
    sdk,
    simple_sudoku,
    sudoku_coach,
    sudokupad,
    sudokuwiki,
    table,
)
from .format import Format

FORMATS: Final[dict[str, Format]] = {
    each.key: each
    for each in (
        plain.LINE,
        plain.BLOCK,
        sdk.FORMAT,
        plain.SDM,
        simple_sudoku.FORMAT,
        json_document.FORMAT,
        fpuzzles.FORMAT,
        sudokupad.FORMAT,
        sudokuwiki.FORMAT,
        sudoku_coach.FORMAT,
        hodoku.FORMAT,
        table.FORMAT,
        plain.PUZZLE_BANK,
        plain.PENCILMARKS,
        opensudoku.FORMAT,
    )
}
