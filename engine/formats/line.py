"""The 81-character line: digits for givens, one other character for empty cells, then perhaps a comment.

A number may stand in front. Sudoku Exchange's links carry the same 81 characters.
"""

from __future__ import annotations

import re
from typing import Final

from engine.errors import PuzzleFormatError
from engine.formats.cells import CELL_CHARACTERS, DIGITS, digits_of, plain_digits, without_separators
from engine.formats.entry import Entry
from engine.formats.format import Format
from engine.grid import Grid

_RUN: Final = re.compile(r"[^\s,;#|]*")
_BLANK_STYLE: Final = frozenset(DIGITS + " ")
_BEFORE_COMMENT: Final = " \t,;#|"
# '17. ', '17) ', '17: ' or '17 ' in front of 81 cells.
_NUMBER: Final = re.compile(r"\s*\d{1,9}(?:[.):]\s+|[):]|\s+)(?=[^\s,;#|]{81}(?:$|[\s,;#|]))")
_LINK: Final = re.compile(r"sudokuexchange\.com/play/?\?\S{0,99}?\bs=([0-9.]{81})(?![0-9.])", re.IGNORECASE)
_EXPLAINER: Final = re.compile(r"(?:^|[\s=])(\d{1,2}\.\d)/(\d{1,2}\.\d)/(\d{1,2}\.\d)\b")  # ER/EP/ED, serate
_HODOKU: Final = re.compile(r"^\d+ (Easy|Medium|Hard|Unfair|Extreme) \((\d+)\)$")  # HoDoKu's batch output


def parse(text: str) -> Entry:
    """The entry of one line; cells may stand apart by blanks, commas or bars. Raises PuzzleFormatError."""
    if found := _LINK.search(text):
        return Entry(Grid(digits_of(found[1])))
    cells, comment = _split(text)
    if len(cells) != 81 and (numbered := _NUMBER.match(text)):
        cells, comment = _split(text[numbered.end() :])
    if len(cells) != 81:
        _refuse(cells)
    return Entry(Grid(digits_of(cells)), comment=comment, facts=_facts(comment))


def plain(cells: str, comment: str, line: int) -> Entry:
    """The entry of 81 characters that are known to be digits or '.'."""
    return Entry(Grid(plain_digits(cells)), comment=comment, facts=_facts(comment), line=line)


def write(entry: Entry, *, empty: str = ".") -> str:
    """The givens with `empty` for an empty cell, and the comment behind ' # '."""
    line = str(entry.givens).replace(".", empty)
    return f"{line} # {entry.comment}" if entry.comment else line


def _split(text: str) -> tuple[str, str]:
    """The cell characters of a line and its comment; a wrong count is left for the caller to judge."""
    raw = text.rstrip("\r\n")
    stripped = raw.strip()
    run = _RUN.match(stripped)
    if run is not None and run.end() >= 81:
        return run.group(), stripped[run.end() :].strip(_BEFORE_COMMENT)
    head, tail = raw[:81], raw[81:]
    if len(head) == 81 and _BLANK_STYLE.issuperset(head) and tail.strip()[:1] in ("", "#", ";"):
        return head, tail.strip(_BEFORE_COMMENT)
    cut = re.search(r"[#;]", stripped)
    end = len(stripped) if cut is None else cut.start()
    return without_separators(stripped[:end]), stripped[end:].strip(_BEFORE_COMMENT)


def _refuse(cells: str) -> None:
    """Say what is wrong with a run of the wrong length: the first bad character, else the count."""
    for cell, character in enumerate(cells[:81]):
        if character not in CELL_CHARACTERS:
            raise PuzzleFormatError(
                "expected 1-9, 0 or '.', found %(found)s",
                cell=cell,
                character=character,
                found=f"{character!r}",
            )
    raise PuzzleFormatError("expected 81 cells, found %(found)s", found=len(cells))


def _facts(comment: str) -> dict[str, str]:
    """The ratings that other programs write into the comment."""
    if rated := comment and _EXPLAINER.search(comment):
        return dict(zip(("er", "ep", "ed"), rated.groups(), strict=True))
    if graded := comment and _HODOKU.match(comment):
        return {"hodoku_level": graded[1], "hodoku_score": graded[2]}
    return {}


FORMAT: Final = Format("line", "81-character line", ".txt", write)
