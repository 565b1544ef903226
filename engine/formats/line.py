"""The 81-character line: digits for givens, one other character for empty cells, then perhaps a comment."""

from __future__ import annotations

import re
from typing import Final

from engine.errors import PuzzleFormatError
from engine.formats.cells import CELL_CHARACTERS, DIGITS, digits_of, without_separators
from engine.grid import Grid

_RUN: Final = re.compile(r"[^\s,;#|]*")
_BLANK_STYLE: Final = frozenset(DIGITS + " ")
_BEFORE_COMMENT: Final = " \t,;#|"


def parse_line(text: str) -> tuple[Grid, str]:
    """The grid of one line and the comment behind it, '' where there is none.

    Cells may also stand apart by blanks, commas or bars. Raises PuzzleFormatError.
    """
    cells, comment = _split(text)
    if len(cells) != 81:
        _refuse(cells)
    return Grid(digits_of(cells)), comment


def write_line(grid: Grid, *, empty: str = ".", comment: str = "") -> str:
    """The grid's line with `empty` for an empty cell, and a comment behind ' # '."""
    line = str(grid).replace(".", empty)
    return f"{line} # {comment}" if comment else line


def _split(text: str) -> tuple[str, str]:
    """The cell characters of a line and its comment; a wrong count is left for the caller to judge."""
    raw = text.rstrip("\r\n")
    stripped = raw.strip()
    run = _RUN.match(stripped)
    if run is not None and run.end() >= 81:
        return run.group(), stripped[run.end() :].strip(_BEFORE_COMMENT)
    head, tail = raw[:81], raw[81:]
    if len(head) == 81 and _BLANK_STYLE.issuperset(head) and (not tail or tail[0] in _BEFORE_COMMENT):
        return head, tail.strip(_BEFORE_COMMENT)
    cut = re.search(r"[#;]", stripped)
    end = len(stripped) if cut is None else cut.start()
    return without_separators(stripped[:end]), stripped[end:].strip(_BEFORE_COMMENT)


def _refuse(cells: str) -> None:
    """Say what is wrong with a run of the wrong length: the first bad character, else the count."""
    for cell, character in enumerate(cells[:81]):
        if character not in CELL_CHARACTERS:
            raise PuzzleFormatError(
                f"expected 1-9, 0 or '.', found {character!r}", cell=cell, character=character
            )
    raise PuzzleFormatError(f"expected 81 cells, found {len(cells)}")
