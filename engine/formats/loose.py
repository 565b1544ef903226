"""One tolerant try at a short text that no reader took: other separators, labels, placements, words around.

Each rewriting of the text goes to the strict readers again, so nothing here decides what a cell is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise, takewhile
from typing import Final

from ..errors import PuzzleFormatError
from ..grid import Grid
from .block import digits_of_rows, is_border
from .cells import digits_of, folded, without_separators
from .entry import Entry
from .marks import mask_of
from .pencilmarks import from_masks

MOST_DIGITS: Final = 100  # of a full grid and its labels
FEWEST: Final = 17  # placements: no puzzle with one solution has less

_WORDS: Final = re.compile(r"[^\W\d_Xx]{2}")
_BRACKETED: Final = re.compile(r"[\[{(].*[\])}]", re.DOTALL)
_TOKENS: Final = re.compile(r"[^\s,;|&\[\](){}\"'`]+")
_TOKEN: Final = re.compile(r"([0-9.*_xX?-])(?:\.0?)?")
_LABELS: Final = ("123456789", "012345678", "ABCDEFGHI", "abcdefghi")
# r1c3=7, R1C3: 7, "r1c3": 7, (1,3)=7, A3=7; a row's letter comes before the number of its column.
_PLACEMENT: Final = re.compile(
    r"""(?<![A-Za-z0-9])(?:[rR]\s?([1-9])\s?[cC]\s?|\(\s?([1-9])\s?,\s?|([A-I])|([a-i]))([1-9])\s?\)?["']?"""
    r"""\s?(?:=|:|->|→|is)\s?["']?([0-9])(?![0-9])"""
)
_OBJECT: Final = re.compile(r"\{[^{}]*\}")
_ROW: Final = re.compile(r"""["'](?:row|r|y|i)["']\s*:\s*["']?([0-9])\b""", re.IGNORECASE)
_COLUMN: Final = re.compile(r"""["'](?:column|col|c|x|j)["']\s*:\s*["']?([0-9])\b""", re.IGNORECASE)
_VALUE: Final = re.compile(
    r"""["'](?:value|val|v|digit|d|number|n)["']\s*:\s*["']?([0-9])\b""", re.IGNORECASE
)
_ROW_END: Final = re.compile(r"</tr>|<br\s*/?>|\\r\\n|\\n|\\r", re.IGNORECASE)
_CELL_END: Final = re.compile(r"</t[dh]>", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]*>|&nbsp;")
_SEPARATORS: Final = ("/", ";", "|", ",", "-", "_", "\\", "+", "~", ":")
_ROW_OF_NINE: Final = re.compile(r"(?<!\S)\S{9}(?!\S)")
_GROUP: Final = re.compile(r"[1-9]+")
_DIGIT: Final = re.compile(r"\d")
_OS: Final = re.compile(r"[1-9Oo|\s]{81,200}")
_O_TO_ZERO: Final = str.maketrans("Oo", "00")


def parse(text: str, strictly: Callable[[str], Entry]) -> Entry | None:
    """Return the entry of a text in any layout; None if there is none.

    strictly: reads one puzzle of lines. A full grid may be the solution of a puzzle that can't be read, so it
    must be all that has digits.
    """
    text = folded(text)
    if found := _placements(text):
        return found
    found = _found(text, strictly)
    return None if found and found.givens.full and len(_DIGIT.findall(text)) > MOST_DIGITS else found


def _found(text: str, strictly: Callable[[str], Entry]) -> Entry | None:
    for attempt in (_in_brackets, _among_lines, _candidates):
        try:
            if found := attempt(text):
                return found
        except PuzzleFormatError:
            continue
    for written in dict.fromkeys(_rewritten(text)):
        for read in (strictly, _among_lines):
            try:
                if found := read(written):
                    return found
            except PuzzleFormatError:
                continue
    return None


def _placements(text: str) -> Entry | None:
    """Return the entry of a list of placements, such as r1c3=7 or A3=7."""
    placed = [*_cells_of_objects(text)]
    for line, pair, upper, lower, column, digit in _PLACEMENT.findall(text):
        row = int(line or pair) if line or pair else ord((upper or lower).upper()) - ord("A") + 1
        placed.append((row - 1, int(column) - 1, int(digit)))
    digits = bytearray(81)
    for row, column, digit in placed:
        cell = 9 * row + column
        if not (0 <= row < 9 and 0 <= column < 9) or digits[cell] not in (0, digit):
            return None
        digits[cell] = digit
    return Entry(Grid(bytes(digits))) if len(placed) >= FEWEST else None


def _cells_of_objects(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield row and column, from 0, and digit of JSON objects such as {"row": 0, "col": 2, "value": 7}."""
    found = [[name.search(each) for name in (_ROW, _COLUMN, _VALUE)] for each in _OBJECT.findall(text)]
    numbers = [[int(each[1]) for each in cell if each] for cell in found if all(cell)]
    base = min((number for cell in numbers for number in cell[:2]), default=0)
    yield from ((row - base, column - base, digit) for row, column, digit in numbers)


def _in_brackets(text: str) -> Entry | None:
    """Return the entry of a list of 81 numbers, whole or floats."""
    found = _BRACKETED.search(text)
    tokens = [_TOKEN.fullmatch(token) for token in _TOKENS.findall(found[0] if found else "")]
    if len(tokens) != 81 or not all(tokens):
        return None
    return Entry(Grid(digits_of("".join(token[1] for token in tokens if token))), format="block")


def _candidates(text: str) -> Entry | None:
    """Return the entry of 81 groups of digits, in any layout."""
    groups = _GROUP.findall(text)
    if len(groups) != 81 or not all(one < two for group in groups for one, two in pairwise(group)):
        return None
    entry = from_masks([mask_of(group) for group in groups])
    return entry if entry.candidates is not None and any(entry.candidates) else None


def _among_lines(text: str) -> Entry:
    """Return the entry of nine rows among lines of words, which may be labeled. Raises PuzzleFormatError."""
    lines = [line for line in enumerate(text.split("\n"), 1) if not _WORDS.search(line[1])]
    rows = [(line, row) for line, row in lines if row.strip() and not is_border(row)]
    if len(rows) == 10 and without_separators(rows[0][1]) in ("", *_LABELS):
        lines = rows = rows[1:]
    dense = [(line, without_separators(row)) for line, row in rows]
    if all(len(cells) == 10 for _, cells in dense) and "".join(cells[0] for _, cells in dense) in _LABELS:
        lines = [(line, cells[1:]) for line, cells in dense]
    return Entry(Grid(digits_of_rows(lines)), format="block")


def _rewritten(text: str) -> Iterator[str]:
    """Yield the text in other writings, the likeliest first."""
    plain = _TAG.sub("", _CELL_END.sub(",", _ROW_END.sub("\n", text)))
    if plain != text:
        yield "\n".join(line.strip().removesuffix(",") for line in plain.split("\n"))
    for written in dict.fromkeys((text, plain)):
        yield from _without_prefix(written)
        for separator in _SEPARATORS:
            if written.count(separator) in (8, 9, 10):
                yield written.strip(separator + " \n").replace(separator, "\n")
        if len(rows := _ROW_OF_NINE.findall(written)) == 9:
            yield "\n".join(rows)
        if os := _OS.search(written):
            yield os[0].translate(_O_TO_ZERO)


def _without_prefix(text: str) -> Iterator[str]:
    """Yield nine rows in a row without what all begin with, such as 'Row 1: ' or '// '."""
    lines = [line.strip() for line in text.split("\n") if line.strip() and not is_border(line)]
    for first in range(len(lines) - 8):
        rows = lines[first : first + 9]
        first_characters = zip(*(_DIGIT.sub("#", row) for row in rows), strict=False)
        shared = "".join(each[0] for each in takewhile(lambda each: len({*each}) == 1, first_characters))
        end = max((shared.rfind(mark) + 1 for mark in ":>/)]. \t|*=" if mark in shared), default=0)
        while end:  # a dot or a blank may begin the cells
            yield "\n".join(row[end:] for row in rows)
            end = max((shared.rfind(mark, 0, end - 1) + 1 for mark in ":>/)] \t|*="), default=0)
