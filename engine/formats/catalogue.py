"""FORMATS: the declarations of all files in this folder, in the order of recognition.

The first matching format is used.
"""

from __future__ import annotations

from typing import Final

from . import (
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
    pzprv3,
    sdk,
    sdm,
    sdx,
    simple_sudoku,
    sudoku_coach,
    sudokupad,
    sudokuwiki,
    table,
)
from .format import Format

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
    pzprv3,
    pencil729,
    pencilmarks,
    opensudoku,
)
FORMATS: Final[dict[str, Format]] = {module.FORMAT.key: module.FORMAT for module in _MODULES}
