"""Text formats, one a file, parse and write as a pair; `parse` and `read` recognise which."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import BinaryIO, Final

from engine.errors import PuzzleFormatError
from engine.formats import (
    block,
    fpuzzles,
    gsf,
    hodoku,
    json_line,
    line,
    opensudoku,
    pencil729,
    pencilmarks,
    reader,
    sdk,
    simple_sudoku,
    source,
    sudoku_coach,
    sudokupad,
    sudokuwiki,
    table,
)
from engine.formats.entry import Entry
from engine.grid import Grid

__all__ = ["FORMATS", "Entry", "Format", "parse", "parse_entry", "read"]

LONGEST_TEXT: Final = 1 << 20  # characters of one puzzle; the longest that any format needs is some 10,000

_LONGEST_GROUPS: Final = 8_192  # characters of 81 groups of digits and the layout around them


@dataclass(frozen=True, slots=True)
class Format:
    """A format that can be written; reading needs no telling which."""

    title: str
    suffix: str  # of files that hold it
    write: Callable[[Entry], str]  # one entry, without the line's end
    header: str = ""  # a line above the first entry of a file


FORMATS: Final = MappingProxyType(
    {
        "line": Format("81-character line", ".txt", line.write),
        "block": Format("nine lines with borders", ".txt", block.write),
        "sdk": Format("SadMan Sudoku", ".sdk", sdk.write),
        "sdm": Format("SadMan Sudoku collection", ".sdm", sdk.write_sdm),
        "sdx": Format("SudoCue work in progress", ".sdx", pencilmarks.write_sdx),
        "simple_sudoku": Format("Simple Sudoku", ".ss", simple_sudoku.write),
        "hodoku": Format("HoDoKu library line", ".txt", hodoku.write),
        "gsf": Format("gsf taxonomy line", ".csv", gsf.write),
        "csv": Format("comma-separated table", ".csv", table.write, table.HEADER),
        "puzzle_bank": Format("Sudoku Exchange puzzle bank", ".txt", table.write_bank_line),
        "json": Format("JSON lines", ".jsonl", json_line.write),
        "pencil729": Format("729-character candidates", ".txt", pencil729.write),
        "pencilmarks": Format("candidate grid with borders", ".txt", pencilmarks.write),
        "opensudoku": Format("OpenSudoku", ".opensudoku", opensudoku.write),
        "fpuzzles": Format("f-puzzles link", ".url", fpuzzles.write),
        "sudokupad": Format("SudokuPad link", ".url", sudokupad.write),
        "sudokuwiki": Format("SudokuWiki link", ".url", sudokuwiki.write),
        "sudoku_coach": Format("sudoku.coach link", ".url", sudoku_coach.write),
    }
)


def parse(text: str) -> Grid:
    """The puzzle of a text in any supported format: its givens.

    >>> parse("." * 80 + "7").givens
    1

    Raises PuzzleFormatError, which names the line (of several), the cell and the character.
    """
    return parse_entry(text).givens


def parse_entry(text: str) -> Entry:
    """The one puzzle of a text with all that its format carries. Raises PuzzleFormatError."""
    if len(text) > LONGEST_TEXT:
        raise PuzzleFormatError(f"expected at most {LONGEST_TEXT} characters, found {len(text)}")
    if opensudoku.recognises(text[:100]):
        return opensudoku.parse(text)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found: list[Entry] = []
    for item in reader.entries(_bounded(lines)):
        if isinstance(item, PuzzleFormatError):
            return _by_groups(
                text,
                item
                if len(lines) > 1
                else PuzzleFormatError(item.reason, cell=item.cell, character=item.character),
            )
        if found:
            raise PuzzleFormatError("expected one puzzle, found a second", line=item.line)
        found.append(item)
    if not found:
        raise PuzzleFormatError("expected 81 cells, found none")
    return found[0]


def read(stream: BinaryIO) -> Iterator[Entry | PuzzleFormatError]:
    """Every puzzle of a file or pipe in order, the error of what is none in its place; memory stays constant.

    >>> from io import BytesIO
    >>> [str(entry) for entry in read(BytesIO(b"81 cells"))]
    ['line 1: expected 81 cells, found 7']
    """
    head = stream.readline(source.LONGEST_LINE + 1)
    if opensudoku.recognises(head[:100].decode("utf-8", "replace")):
        return opensudoku.read(chain([head], iter(lambda: stream.read(1 << 16), b"")))
    return reader.entries(source.lines(stream, head))


def _bounded(lines: list[str]) -> Iterator[tuple[int, str | PuzzleFormatError]]:
    for number, text in enumerate(lines, 1):
        yield number, text if len(text) <= source.LONGEST_LINE else source.too_long(number)


def _by_groups(text: str, error: PuzzleFormatError) -> Entry:
    """The candidate grid of a text with 81 groups of digits in whatever layout; else raise `error`."""
    if len(text) > _LONGEST_GROUPS:
        raise error
    try:
        entry = pencilmarks.parse_groups(text)
    except PuzzleFormatError:
        raise error from None
    if entry.candidates is None or not any(entry.candidates):
        raise error
    return entry
