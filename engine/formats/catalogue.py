"""FORMATS: the declarations of all files in this folder, in the order of recognition.

The first matching format is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from .format import Format
from .line import SDM

_NAMES: Final = (
    "line",
    "block",
    "sdk",
    "simple_sudoku",
    "json_document",
    "fpuzzles",
    "sudokupad",
    "sudokuwiki",
    "sudoku_coach",
    "hodoku",
    "table",
    "puzzle_bank",
    "pencilmarks",
    "opensudoku",
)
_FORMATS: Final[list[Format]] = [import_module(f"{__package__}.{name}").FORMAT for name in _NAMES]
FORMATS: Final[dict[str, Format]] = {each.key: each for each in (*_FORMATS[:3], SDM, *_FORMATS[3:])}
