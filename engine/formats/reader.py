"""Split a text of any length into entries: one-line formats line by line, rows gathered into blocks.

Keeps a few lines at a time, so memory does not grow with the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from engine.errors import PuzzleFormatError
from engine.formats import block, line, pencilmarks, sdk, simple_sudoku, table
from engine.formats.block import Numbered
from engine.formats.catalogue import FORMATS
from engine.formats.cells import fold_strokes, without_separators
from engine.formats.entry import Entry
from engine.grid import Grid

Found = Entry | PuzzleFormatError

_SECTION: Final = re.compile(r"\[(puzzle|state|pencilmarks)\]", re.IGNORECASE)
_PROSE: Final = re.compile(r"[A-WYZa-wyz]{2}")
# Lines of nearly every collection, read ten times faster than by asking all formats.
_PLAIN: Final = re.compile(r"([0-9.]{81})(?:\s*[#;](.*)|,([^,]{0,60})|\s(.*)|)")
# Grids of a line that holds several; behind '#' stands a comment.
_RUNS: Final = re.compile(r"(?<![0-9.])[0-9.]{81}(?![0-9.])")
_MOST_ROWS: Final = 20  # of a block, with the lines of nine '-' or blanks that may be rows
_PROSE_KEPT: Final = 20  # lines of words above the first block that may be titles


def parse_line(text: str, columns: tuple[str, ...] = ()) -> Entry:
    """The entry of one line in any one-line format. Raises PuzzleFormatError naming cell and character."""
    if columns:
        return table.parse(text, columns)
    for form in FORMATS.values():
        if form.line is not None and form.line.recognises(text):
            return form.line.parse(text)
    return line.parse(text)


def entries(lines: Iterable[tuple[int, str | PuzzleFormatError]]) -> Iterator[Found]:
    """Every entry of numbered lines in order, and in its place the error of what is none.

    A line that was refused before it got here comes as its error.
    """
    return _joined(_Reader().read(lines))


class _Reader:
    """The state of reading: the rows of an unfinished block and the lines above it."""

    def __init__(self) -> None:
        self.columns: tuple[str, ...] = ()
        self._start_block()
        self.section = ""
        self.facts: dict[str, str] = {}
        self.prose: list[Numbered] = []
        self.frame = ""
        self.blocks_seen = False

    def _start_block(self) -> None:
        self.rows: list[Numbered] = []
        self.certain = 0  # rows that certainly hold cells
        self.doubtful = 0  # lines of nine '-' or nine blanks, rows where those are the empty character
        self.doubt = ""

    def read(self, lines: Iterable[tuple[int, str | PuzzleFormatError]]) -> Iterator[Found]:
        for number, text in lines:
            if isinstance(text, PuzzleFormatError):
                yield from self._broken_off()
                yield text
            else:
                yield from self._take(number, text)
        yield from self._broken_off()
        if not self.blocks_seen:
            yield from self._refuse_prose()

    def _take(self, number: int, text: str) -> Iterator[Found]:
        if len(text) > 160 and "{" not in text and not self.columns and len(several := _several(text)) > 1:
            yield from self._broken_off()
            for cells in several:
                yield line.plain(cells, "", number)
            return
        if (plain := _PLAIN.fullmatch(text)) and not self.columns and not self.rows and not self.prose:
            yield line.plain(plain[1], (plain[2] or plain[3] or plain[4] or "").strip(" \t,;#|"), number)
            return
        stripped = text.strip()
        if self.section == "pencilmarks" and stripped and not _SECTION.fullmatch(stripped):
            yield from self._row(number, text)
        elif not stripped:
            if self.rows and len(text) == 9:
                yield from self._row(number, text)
            elif self.rows and self.certain + self.doubtful not in (3, 6):
                yield from self._broken_off()
        elif stripped.startswith("#"):
            if named := sdk.header(stripped):
                self.facts[named[0]] = named[1]
        elif self.columns:  # below a header every line is a row
            yield from self._one_line(number, text)
        elif section := _SECTION.fullmatch(stripped):
            yield from self._broken_off()
            self.section = section[1].lower()
        elif block.is_border(text):
            if not self.rows:
                self.frame = stripped
            if _may_be_row(text):
                yield from self._row(number, text)
        elif self._is_row(text):
            yield from self._row(number, text)
        elif columns := table.columns_of(stripped):
            yield from self._broken_off()
            self.columns = columns
        elif _PROSE.search(stripped) and len(stripped) < 81:
            yield from self._broken_off()
            self.prose.append((number, text))
            if len(self.prose) > _PROSE_KEPT and not self.blocks_seen:
                yield from self._refuse_prose()
        else:
            yield from self._one_line(number, text)

    def _one_line(self, number: int, text: str) -> Iterator[Found]:
        yield from self._broken_off()
        self.facts = {}
        if not self.blocks_seen:
            yield from self._refuse_prose()
        try:
            yield replace(parse_line(text, self.columns), line=number)
        except PuzzleFormatError as error:
            yield error.at_line(number)

    def _is_row(self, text: str) -> bool:
        """Whether a line looks like a row of a block, a mistyped one included."""
        if len(text) > block.LONGEST_ROW:
            return False
        dense = without_separators(fold_strokes(text.strip()))
        if pencilmarks.cells_of(text):
            return True
        if _PROSE.search(dense):
            return False
        return len(dense) < 60 if self.rows else 7 <= len(dense) <= 11 or len(text) == 9

    def _row(self, number: int, text: str) -> Iterator[Found]:
        self.rows.append((number, text))
        if _may_be_row(text):
            self.doubtful += 1
            self.doubt = text.strip()[:1]
        else:
            self.certain += 1
        if len(self.rows) > _MOST_ROWS:
            yield from self._broken_off()
        elif self.certain + (self.doubtful if self._doubt_is_cell() else 0) == 9:
            yield from self._finished()

    def _doubt_is_cell(self) -> bool:
        """Whether the doubtful rows are rows: their character stands beside digits in another row."""
        if self.doubt == "-":
            return any("-" in text and not block.is_border(text) for _, text in self.rows)
        return not any(mark in text for _, text in self.rows for mark in ".0*_xX-")

    def _finished(self) -> Iterator[Found]:
        rows, section = self.rows, self.section
        comment = "\n".join(text.strip() for _, text in self.prose)
        facts, frame = self.facts, self.frame
        self._start_block()
        self.section, self.facts, self.prose, self.frame, self.blocks_seen = "", {}, [], "", True
        try:
            if section in ("state", "pencilmarks"):
                yield _Addition(section, rows)
                return
            entry = _block_entry(rows)
            if section or facts:
                entry = replace(entry, format="sdk", facts=facts)
            elif frame == simple_sudoku.FRAME and entry.candidates is None:
                entry = replace(entry, format="simple_sudoku")
            yield replace(entry, line=rows[0][0], comment=comment)
        except PuzzleFormatError as error:
            yield error if error.line is not None else error.at_line(rows[0][0])

    def _broken_off(self) -> Iterator[Found]:
        """Report a block that ends before its ninth row."""
        rows = self.rows
        if not rows:
            return
        self._start_block()
        held = [(number, text) for number, text in rows if not _may_be_row(text)]
        if len(held) == 1:
            try:
                parse_line(held[0][1])
            except PuzzleFormatError as error:
                yield error.at_line(held[0][0])
        elif held:
            yield PuzzleFormatError("expected 9 rows, found %(found)s", line=held[0][0], found=len(held))

    def _refuse_prose(self) -> Iterator[Found]:
        """Report lines of words that no block follows."""
        prose, self.prose = self.prose, []
        for number, text in prose:
            try:
                parse_line(text)
            except PuzzleFormatError as error:
                yield error.at_line(number)


class _Addition(PuzzleFormatError):
    """The rows of a section that belong to the puzzle above; an error where there is none."""

    def __init__(self, section: str, rows: list[Numbered]) -> None:
        super().__init__(f"expected a [Puzzle] above [{section}]", line=rows[0][0])
        self.section = section
        self.rows = rows


def _several(text: str) -> list[str]:
    """The puzzles of a line that holds several; a full grid beside one is its solution, and none."""
    return [run for run in _RUNS.findall(text.partition("#")[0]) if "." in run or "0" in run]


def _may_be_row(text: str) -> bool:
    """Whether a line is nine dashes or blanks: a row where those are empty cells, else a border or a gap."""
    return len(text) == 9 and (not text.strip() or fold_strokes(text) == "-" * 9)


def _block_entry(rows: list[Numbered]) -> Entry:
    """The entry of nine rows, of cells or of candidates."""
    cells = [pencilmarks.cells_of(text) for _, text in rows]
    if any(len(cell) > 1 for row in cells for cell in row):
        return pencilmarks.parse_rows(rows)
    return Entry(Grid(block.digits_of_rows(rows)), format="block")


def _joined(found: Iterable[Found]) -> Iterator[Found]:
    """Blocks joined with the values and candidates that follow them; at most two entries are held back."""
    held: list[Entry] = []
    for item in found:
        if isinstance(item, _Addition) and held:
            try:
                add = sdk.state if item.section == "state" else sdk.pencil_marks
                held[-1] = add(held[-1], item.rows)
            except PuzzleFormatError as error:
                yield error
        elif isinstance(item, Entry) and item.format in ("block", "simple_sudoku", "sdk"):
            held.append(item)
            if len(held) > 2:
                yield held.pop(0)
        elif isinstance(item, Entry) and item.format == "pencilmarks":
            yield from _with_marks(held, item)
            held = []
        else:
            yield from held
            held = []
            yield item
    yield from held


def _with_marks(held: list[Entry], marks: Entry) -> Iterator[Entry]:
    """The entries held back, the last of them joined with the candidate grid behind it if they agree."""
    if len(held) == 2 and (whole := simple_sudoku.joined_with_values(held[0], held[1], marks)):
        yield whole
    elif held and (whole := simple_sudoku.joined(held[-1], marks)):
        yield from held[:-1]
        yield whole
    else:
        yield from held
        yield marks
