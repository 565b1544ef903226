"""The 81-character line: digits for givens, one other character for empty cells, optionally a comment.

It may follow a number, a name or the rest of a URL, and precede a solution.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from ..errors import PuzzleFormatError
from ..grid import Grid
from .cells import (
    CELL_CHARACTERS,
    DIGITS,
    digits_of,
    folded,
    plain_digits,
    without_separators,
)
from .entry import Entry
from .format import Format

_LONGEST: Final = 8_192  # characters of a line that are searched for cells
_RUN: Final = re.compile(r"[^\s,;#|]*")
_BLANK_STYLE: Final = frozenset(DIGITS + " ")
_MOST_MISTYPED: Final = 3  # characters of a line of cells; more are a text
_BEFORE_COMMENT: Final = " \t,;#|"
# '17. ', '17) ', '17: ' or '17 ' before 81 cells.
_NUMBER: Final = re.compile(r"\s*\d{1,9}(?:[.):]\s+|[):]|\s+)(?=[^\s,;#|]{81}(?:$|[\s,;#|]))")
# 81 cells, not adjacent to anything else that could be a cell.
_RUNS: Final = "|".join(
    rf"(?<![{empty}])[1-9{empty}]{{81}}(?![{empty}])" for empty in ("0.", "_", "*", "-", "?", "Xx")
)
_CELLS: Final = re.compile(rf"(?<![0-9A-Za-z.])(?:{_RUNS})(?![0-9A-Za-z.])")
_UNREAD: Final = re.compile(r"\S{81,}")  # beside a full grid: a puzzle in an unknown writing
_AROUND: Final = " \t,;:#|=\"'`([{<>}])"
_EXPLAINER: Final = re.compile(r"(?:^|[\s=])(\d{1,2}\.\d)/(\d{1,2}\.\d)/(\d{1,2}\.\d)\b")  # ER/EP/ED, serate
_HODOKU: Final = re.compile(r"^\d+ (Easy|Medium|Hard|Unfair|Extreme) \((\d+)\)$")  # HoDoKu's batch output


def parse(text: str) -> Entry:
    """Return the entry of one line; cells may be separated by blanks, commas or bars. Raises
    PuzzleFormatError.
    """
    cells, comment = _split(text)
    if len(cells) != 81 and (numbered := _NUMBER.match(text)):
        cells, comment = _split(text[numbered.end() :])
    if len(cells) == 81 and (digits := _digits_of(cells)):
        if 0 not in digits and (entry := _among_words(text)) and entry.solution:
            return entry
        grid = Grid(digits)
        refuse_unread(grid, comment)
        return Entry(grid, comment=comment, facts=_facts(comment))
    if entry := _among_words(text) or _behind_a_name(text):
        return entry
    if len(cells) != 81:
        _refuse(cells, text)
    return Entry(Grid(digits_of(cells)))


def plain(cells: str, comment: str, line: int) -> Entry:
    """Return the entry of 81 characters known to be digits or '.'."""
    return Entry(Grid(plain_digits(cells)), comment=comment, facts=_facts(comment), line=line)


def write(entry: Entry) -> str:
    """Return the givens with '.' for an empty cell, and the comment after ' # '."""
    return f"{entry.givens} # {entry.comment}" if entry.comment else str(entry.givens)


def _split(text: str) -> tuple[str, str]:
    """Return the cell characters of a line and its comment; the caller checks their number."""
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


def _digits_of(cells: str) -> bytes:
    """Return the digits of 81 characters; b"" if one isn't a cell."""
    try:
        return digits_of(folded(cells))
    except PuzzleFormatError:
        return b""


def _among_words(text: str) -> Entry | None:
    """Return the one puzzle in a line of other text, such as a URL, which may also have its solution.

    None if it is ambiguous.
    """
    plain = unquote(folded(text)) if len(text) <= _LONGEST else ""
    runs = [run for run in _CELLS.finditer(plain) if run[0].strip("-_*?Xx")]
    open_ones = [run for run in runs if not run[0].isdecimal() or "0" in run[0]]
    wanted = open_ones or runs
    if len(wanted) != 1 or len(runs) > 2:
        return None
    run = wanted[0]
    solution = next((Grid(digits_of(other[0])) for other in runs if other is not run), None)
    before, after = plain[: run.start()].strip(_AROUND), plain[run.end() :].strip(_AROUND)
    grid = Grid(digits_of(run[0]))
    if "://" in before:
        return Entry(grid, solution=solution)
    refuse_unread(grid, f"{before} {after}")
    facts = {"title": before} if before else {}
    return Entry(grid, comment="" if solution else after, solution=solution, facts=facts | _facts(after))


def _behind_a_name(text: str) -> Entry | None:
    """Return the puzzle of an assignment or a literal: the cells after its '=', among brackets and quotes."""
    cells = without_separators(folded(text.partition("=")[2] or text)).strip(";")
    digits = _digits_of(cells) if len(cells) == 81 else b""
    return Entry(Grid(digits)) if digits else None


def _refuse(cells: str, text: str) -> None:
    """Raise an error for a run of the wrong length: the first bad character, else the count."""
    if "://" in cells or "//" in cells[:12]:
        raise PuzzleFormatError("expected an address that holds 81 cells, found none in it")
    strange = sum(character not in CELL_CHARACTERS for character in cells)
    if strange > _MOST_MISTYPED:
        raise nothing(text)
    for cell, character in enumerate(cells[:81]):
        if character not in CELL_CHARACTERS:
            raise PuzzleFormatError(
                "expected 1-9, 0 or '.', found %(found)s",
                cell=cell,
                character=character,
                found=f"{character!r}",
            )
    raise PuzzleFormatError("expected 81 cells, found %(found)s", found=len(cells))


def nothing(text: str) -> PuzzleFormatError:
    """Return the error of a text without a puzzle: what it is instead."""
    words = text.split()
    if not words:
        return PuzzleFormatError("expected 81 cells, found none")
    digits = sum(character in DIGITS for character in text)
    if len(text) == digits:
        return PuzzleFormatError("expected 81 cells, found %(found)s", found=digits)
    return PuzzleFormatError("expected 81 cells, found the text %(found)s", found=f"{' '.join(words)!r:.40}")


def refuse_unread(grid: Grid, around: str) -> None:
    """Refuse a full grid that may be the solution of what stands beside it."""
    if grid.full and (unread := _UNREAD.search(around.replace(str(grid), ""))):
        _refuse(unread[0], unread[0])


def _facts(comment: str) -> dict[str, str]:
    """Return the ratings that other programs write into the comment."""
    if rated := comment and _EXPLAINER.search(comment):
        return dict(zip(("er", "ep", "ed"), rated.groups(), strict=True))
    if graded := comment and _HODOKU.match(comment):
        return {"hodoku_level": graded[1], "hodoku_score": graded[2]}
    return {}


FORMAT: Final = Format("line", "81-character line", ".txt", write)
# SadMan's collection: a puzzle a line, read like any line
SDM: Final = Format(
    "sdm", "SadMan Sudoku collection", ".sdm", lambda entry: str(entry.givens).replace(".", "0")
)
