"""FORMATS: what each file of this folder declares, in the order in which lines and documents are recognized.

A text that several formats recognize is of the first of them.
"""

from __future__ import annotations

from typing import Final

from engine.formats import (
    block,
    fpuzzles,
    gsf,
    hodoku,
    json_document,
    line,
    opensudoku,
    pencil729,
    pencilmarks,
    puzzle_bank,
    sdk,
    sdm,
    sdx,
    simple_sudoku,
    sudoku_coach,
    sudokupad,
    sudokuwiki,
    table,
)
from engine.formats.format import Format

_MODULES: Final = (
    line,
    block,
    sdk,
    sdm,
    sdx,
    simple_sudoku,
    json_document,
    fpuzzles,
    sudokupad,
    sudokuwiki,
    sudoku_coach,
    hodoku,
    gsf,
    table,
    puzzle_bank,
    pencil729,
    pencilmarks,
    opensudoku,
)
FORMATS: Final[dict[str, Format]] = {module.FORMAT.key: module.FORMAT for module in _MODULES}
