"""Split a text of any length into entries: one-line formats line by line, rows collected into blocks.

Keeps a few lines at a time, so memory doesn't grow with the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from ..errors import PuzzleFormatError
from ..grid import Grid
from . import block, line, pencilmarks, sdk, simple_sudoku, table
from .block import Numbered
from .catalogue import FORMATS
from .cells import decoded, folded, without_separators
from .entry import Entry
from .marks import NO_CANDIDATE

Found = Entry | PuzzleFormatError

_SECTION: Final = re.compile(r"\[(puzzle|state|pencilmarks)\]", re.IGNORECASE)
_PROSE: Final = re.compile(r"[^\W\d_Xx]{2}")
_NUMBER: Final = re.compile(r"\d{1,6}[.:)]?|#\d{1,6}")  # of the puzzle below
_QUOTED: Final = re.compile(r"(?:> ?)+|- (?=\[)")  # quoting in mail, or an item in YAML
# 'Author: somebody' above a puzzle.
_FACT: Final = re.compile(
    r"(title|name|author|by|source|rating|level|difficulty|date)\s*[:=]\s*(\S.*)", re.IGNORECASE
)
_FACT_NAMES: Final = {"name": "title", "by": "author", "difficulty": "level"}
# The usual lines of collections, parsed ten times faster than by trying all formats.
_PLAIN: Final = re.compile(r"([0-9.]{81})(?:\s*[#;](.*)|,([^,]{0,60})|\s(.*)|)")
# A grid or a row in quotes, with blanks for empty cells.
_IN_QUOTES: Final = re.compile(r"""\s*(["'])([0-9.*_xX? -]{81}|[0-9.*_xX? -]{9})\1[,;]?\s*""")
# A quoted field whose lines are the rows of a grid, as a spreadsheet writes a cell with line breaks.
_FIELD_OF_ROWS: Final = re.compile(r'(?:[^"]*[,;\t])?"[0-9.*_xX? -]{9}\s*')
_MOST_IN_FIELD: Final = 20  # lines
_EMPTY_FIELDS: Final = ",;\t "  # behind a title in the first cell of a spreadsheet's row
# Several grids in one line; a comment may follow '#'.
_RUNS: Final = re.compile(r"(?<![0-9.])[0-9.]{81}(?![0-9.])")
_MOST_ROWS: Final = 20  # in a block, including lines of nine '-' or blanks that may be rows
_PROSE_KEPT: Final = 20  # lines of text above the first block that may be titles


def parse_line(text: str, columns: tuple[str, ...] = ()) -> Entry:
    """Return the entry of one line in any one-line format. Raises PuzzleFormatError naming cell and
    character.
    """
    if columns:
        return table.parse(text, columns)
    for form in FORMATS.values():
        if form.line is not None and (entry := form.line(text)):
            return entry
    return line.parse(text)


def entries(lines: Iterable[tuple[int, str | PuzzleFormatError]]) -> Iterator[Found]:
    """Yield every entry of numbered lines in order, and an error for each invalid one.

    A line that was rejected earlier is passed as its error.
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
        self.behind_block = False  # whether no text followed the last grid

    def _start_block(self) -> None:
        self.rows: list[Numbered] = []
        self.certain = 0  # rows that certainly contain cells
        self.doubtful = 0  # lines of nine '-' or nine blanks: rows if that is the sign for an empty cell
        self.doubt = ""
        self.headed = False  # whether the first row may be a table's header
        self.gap: Numbered | None = None  # the row of empty fields that follows a grid
        self.above: Numbered | None = None  # any other above the first row: it may be the first itself

    def read(self, lines: Iterable[tuple[int, str | PuzzleFormatError]]) -> Iterator[Found]:
        for number, text in self._records(lines):
            if isinstance(text, PuzzleFormatError):
                yield from self._broken_off()
                yield text
            else:
                yield from self._take(number, text)
        yield from self._broken_off()
        if not self.blocks_seen:
            yield from self._refuse_prose()

    def _records(
        self, lines: Iterable[tuple[int, str | PuzzleFormatError]]
    ) -> Iterator[tuple[int, str | PuzzleFormatError]]:
        """Yield the lines, those of a quoted field with the rows of a grid as one."""
        held: list[Numbered] = []
        for number, text in lines:
            if isinstance(text, PuzzleFormatError):
                yield from held
                held = []
                yield number, text
            elif held:
                held.append((number, text))
                if '"' in text:
                    yield held[0][0], "\n".join(part for _, part in held)
                    held = []
                elif len(held) > _MOST_IN_FIELD:
                    yield from held
                    held = []
            elif _FIELD_OF_ROWS.fullmatch(text):
                held = [(number, text)]
            else:
                yield number, text
        yield from held

    def _take(self, number: int, text: str) -> Iterator[Found]:
        text = decoded(text)
        if len(text) > 160 and "{" not in text and not self.columns and len(several := _several(text)) > 1:
            yield from self._broken_off()
            for cells in several:
                yield line.plain(cells, "", number)
            return
        known = self.columns or self.rows or self.prose or self.facts or _solution_first(text)
        if not known and (plain := _PLAIN.fullmatch(text)):
            yield line.plain(plain[1], (plain[2] or plain[3] or plain[4] or "").strip(" \t,;#|"), number)
            return
        if text.startswith((">", "- [")):
            text = _QUOTED.sub("", text, count=1)
        if "\n" in text:
            yield from self._one_line(number, text)
            return
        if quoted := _IN_QUOTES.fullmatch(text):
            text = quoted[2]
        stripped = text.strip()
        if self.section == "pencilmarks" and stripped and not _SECTION.fullmatch(stripped):
            yield from self._row(number, text)
        elif len(text) >= 8 and not self.columns and text.strip(" ") and not text.strip(_EMPTY_FIELDS):
            yield from self._empty_fields(number, text)
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
            yield from self._ruled(stripped)
            if _may_be_row(text):
                yield from self._row(number, text)
        elif self._is_row(text):
            yield from self._row(number, text)
        elif columns := table.columns_of(stripped):
            yield from self._broken_off()
            self.columns = columns
        elif not without_separators(folded(stripped)).strip(";="):
            return  # brackets and quotes around rows
        elif _is_prose(stripped):
            yield from self._broken_off()
            self.prose.append((number, text))
            self.behind_block = False
            if len(self.prose) > _PROSE_KEPT and not self.blocks_seen:
                yield from self._refuse_prose()
        else:
            yield from self._one_line(number, text)

    def _one_line(self, number: int, text: str) -> Iterator[Found]:
        yield from self._broken_off()
        try:
            entry = parse_line(text, self.columns)
        except PuzzleFormatError as error:
            self.facts = {}
            if not self.blocks_seen:
                yield from self._refuse_prose()
            yield error.at_line(number)
        else:
            yield replace(entry, line=number, facts=self._facts_above() | dict(entry.facts))

    def _facts_above(self) -> dict[str, str]:
        """Return the facts in the lines above a puzzle: its title, or named facts."""
        facts, prose = self.facts, [text.strip() for _, text in self.prose]
        self.facts, self.prose = {}, []
        prose = [text.rstrip(_EMPTY_FIELDS) for text in prose]
        named = [_FACT.fullmatch(text) for text in prose]
        for found in filter(None, named):
            name = found[1].lower()
            facts[_FACT_NAMES.get(name, name)] = found[2]
        titles = [text for text, found in zip(prose, named, strict=True) if not found]
        return {"title": titles[0], **facts} if titles else facts

    def _is_row(self, text: str) -> bool:
        """Whether a line looks like a row of a block, including a mistyped one."""
        if len(text) > block.LONGEST_ROW:
            return False
        dense = without_separators(folded(text.strip())).strip(";")
        if pencilmarks.cells_of(text):
            return True
        if _PROSE.search(dense):
            return False
        if block.is_row_with_gaps(text):
            return True
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
        elif self.headed:
            if self.certain == 10:
                del self.rows[0]
                yield from self._finished()
        elif self.certain + (self.doubtful if self._doubt_is_cell() else 0) == 9:
            yield from self._finished()

    def _empty_fields(self, number: int, text: str) -> Iterator[Found]:
        """Take a row of a spreadsheet without any cell filled: between grids it separates them."""
        if len(self.rows) == 8 and self.above:  # an empty first row, and now the gap below the ninth
            yield from self._broken_off()
        if self.rows:
            yield from self._row(number, text)
        elif self.behind_block and not self.gap:
            self.gap = (number, text)
        else:
            self.above = (number, text)

    def _ruled(self, rule: str) -> Iterator[Found]:
        """Record a rule below the first row, as in Markdown; a second one shows that the row was no
        header.
        """
        if self.certain == 9:
            yield from self._finished()
        self.headed = self.certain == 1 and len(self.rows) == 1 and rule.startswith("|")

    def _doubt_is_cell(self) -> bool:
        """Whether the doubtful rows are rows: their sign appears next to digits in another row."""
        if self.doubt == "-":
            return any("-" in text and not block.is_border(text) for _, text in self.rows)
        return not any(mark in text for _, text in self.rows for mark in ".0*_xX-")

    def _finished(self) -> Iterator[Found]:
        rows, section = self.rows, self.section
        comment = "\n".join(text.strip().rstrip(_EMPTY_FIELDS) for _, text in self.prose)
        facts, frame = self.facts, self.frame
        self._start_block()
        self.section, self.facts, self.prose, self.frame, self.blocks_seen = "", {}, [], "", True
        self.behind_block = True
        try:
            if section in ("state", "pencilmarks"):
                yield Addition(section, rows)
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
        if len(self.rows) == 8 and (first := self.above or self.gap):
            self.rows.insert(0, first)
            yield from self._finished()
            return
        rows = self.rows
        if not rows:
            return
        if self.headed and self.certain == 9:
            yield from self._finished()
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
        """Report lines of text without a block below."""
        prose, self.prose = self.prose, []
        for number, text in prose:
            if _NUMBER.fullmatch(text.strip()):
                continue
            try:
                parse_line(text)
            except PuzzleFormatError as error:
                yield error.at_line(number)


class Addition(PuzzleFormatError):
    """The rows of a section that belongs to the puzzle above; an error if there is none."""

    def __init__(self, section: str, rows: list[Numbered]) -> None:
        super().__init__(f"expected a [Puzzle] above [{section}]", line=rows[0][0])
        self.section = section
        self.rows = rows


def _several(text: str) -> list[str]:
    """Return the puzzles of a line that has several; a full grid next to one is its solution, not a
    puzzle.
    """
    return [run for run in _RUNS.findall(text.partition("#")[0]) if "." in run or "0" in run]


def _solution_first(text: str) -> bool:
    """Whether a line begins with a full grid and may hold its puzzle too."""
    return len(text) > 160 and text[:81].isdecimal() and "0" not in text[:81]


def _is_prose(text: str) -> bool:
    """Whether a line is text or a number above a puzzle."""
    words = _PROSE.search(text) is not None or without_separators(text).isalpha()
    return (words and len(text) < 81 and "://" not in text) or _NUMBER.fullmatch(text) is not None


def _may_be_row(text: str) -> bool:
    """Whether a line is nine dashes or blanks: a row if those are empty cells, else a border or a gap."""
    return len(text) == 9 and (not text.strip() or folded(text) == "-" * 9)


def _block_entry(rows: list[Numbered]) -> Entry:
    """Return the entry of nine rows, of cells or of candidates."""
    cells = [pencilmarks.cells_of(text) for _, text in rows]
    if any(len(cell) > 1 or cell == NO_CANDIDATE for row in cells for cell in row):
        return pencilmarks.parse_rows(rows)
    return Entry(Grid(block.digits_of_rows(rows)), format="block")


def _joined(found: Iterable[Found]) -> Iterator[Found]:
    """Combine blocks with the values and candidates that follow them; holds back at most two entries."""
    held: list[Entry] = []
    for item in found:
        if isinstance(item, Addition) and held:
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
    """Return the entries held back, the last one combined with the candidate grid after it if they agree."""
    if len(held) == 2 and (whole := simple_sudoku.joined(held[0], marks, held[1])):
        yield whole
    elif held and (whole := simple_sudoku.joined(held[-1], marks)):
        yield from held[:-1]
        yield whole
    else:
        yield from held
        yield marks
