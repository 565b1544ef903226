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
from . import finder, sdk, simple_sudoku, table
from .catalogue import FORMATS
from .cells import decoded, folded, plain_digits, without_separators
from .entry import Entry
from .finder import Numbered

Found = Entry | PuzzleFormatError
Lines = Iterable[tuple[int, str | PuzzleFormatError]]

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


class Addition(PuzzleFormatError):
    """The rows of a section that belongs to the puzzle above; an error if there is none."""

    def __init__(self, section: str, rows: list[Numbered]) -> None:
        super().__init__(f"expected a [Puzzle] above [{section}]", line=rows[0][0])
        self.section = section
        self.rows = rows


def entries(lines: Lines) -> Iterator[Found]:
    """Yield every entry of numbered lines in order, and an error for each invalid one.

    A line that was rejected earlier is passed as its error.
    """
    return _joined(_Reader().read(_records(lines)))


def parse_line(text: str, columns: tuple[str, ...] = ()) -> Entry:
    """Return the entry of one line in any one-line format. Raises PuzzleFormatError naming cell and
    character.
    """
    if columns:
        return table.parse(text, columns)
    for form in FORMATS.values():
        if form.line is not None and (entry := form.line(text)):
            return entry
    return finder.of_line(text)


def _records(lines: Lines) -> Iterator[tuple[int, str | PuzzleFormatError]]:
    """Yield the lines, those of a quoted field with the rows of a grid as one."""
    held: list[Numbered] = []
    for number, text in lines:
        if isinstance(text, PuzzleFormatError) or not (held or _FIELD_OF_ROWS.fullmatch(text)):
            yield from held
            held = []
            yield number, text
            continue
        held.append((number, text))
        if len(held) > 1 and '"' in text:
            held = [(held[0][0], "\n".join(part for _, part in held))]
        elif len(held) <= _MOST_IN_FIELD:
            continue
        yield from held
        held = []
    yield from held


class _Reader:
    """The state of reading: the rows of an unfinished block and the lines above it."""

    def __init__(self) -> None:
        self.columns: tuple[str, ...] = ()
        self.rows: list[Numbered] = []
        self.headed = False  # whether the first row may be a table's header
        self.empty: list[Numbered] = []  # rows of empty fields above the first row
        self.section = ""
        self.facts: dict[str, str] = {}
        self.prose: list[Numbered] = []
        self.frame = ""
        self.blocks_seen = False
        self.behind_block = False  # whether no text followed the last grid

    def read(self, lines: Lines) -> Iterator[Found]:
        for number, text in lines:
            if isinstance(text, PuzzleFormatError):
                yield from self._broken_off()
                yield text
            else:
                yield from self._take(number, decoded(text))
        yield from self._broken_off()
        if not self.blocks_seen:
            yield from self._refuse_prose()

    def _take(self, number: int, text: str) -> Iterator[Found]:
        if len(text) > 160 and "{" not in text and not self.columns:
            runs = _RUNS.findall(text.partition("#")[0])
            several = [run for run in runs if not _is_full(run)]  # a full grid is a solution
            if len(several) > 1:
                yield from self._broken_off()
                yield from (Entry(Grid(plain_digits(cells)), line=number) for cells in several)
                return
        known = self.columns or self.rows or self.prose or self.facts
        if not known and (plain := _PLAIN.fullmatch(text)) and not (len(text) > 160 and _is_full(plain[1])):
            comment = (plain[2] or plain[3] or plain[4] or "").strip(" \t,;#|")
            facts = finder.facts_of(comment)
            yield Entry(Grid(plain_digits(plain[1])), comment=comment, facts=facts, line=number)
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
            # a spreadsheet's row without any cell filled: between grids it separates them
            if len(self.rows) == 8 and len(self.empty) > self.behind_block:  # the first row was empty, too
                yield from self._broken_off()
            if self.rows:
                yield from self._row(number, text)
            else:
                self.empty.append((number, text))
        elif not stripped:
            if self.rows and len(text) == 9:
                yield from self._row(number, text)
            elif self.rows and len(self.rows) not in (3, 6):
                yield from self._broken_off()
        elif stripped.startswith("#"):
            self.facts |= sdk.header(stripped)
        elif self.columns:  # below a header every line is a row
            yield from self._one_line(number, text)
        elif section := _SECTION.fullmatch(stripped):
            yield from self._broken_off()
            self.section = section[1].lower()
        elif finder.is_border(text):
            if not self.rows:
                self.frame = stripped
            certain = sum(not _may_be_row(row) for _, row in self.rows)
            if certain == 9:
                yield from self._finished()
            # below the first row, as in Markdown; a second rule shows that the row was no header
            self.headed = certain == 1 and len(self.rows) == 1 and stripped.startswith("|")
            if _may_be_row(text):
                yield from self._row(number, text)
        elif self._is_row(text):
            yield from self._row(number, text)
        elif columns := table.columns_of(stripped):
            yield from self._broken_off()
            self.columns = columns
        elif not (dense := without_separators(folded(stripped)).strip(";=")):
            return  # brackets and quotes around rows
        elif _NUMBER.fullmatch(stripped) or (
            (_PROSE.search(stripped) or dense.isalpha()) and len(stripped) < 81 and "://" not in stripped
        ):
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
            return
        facts, titles = self.facts, []
        for _, line in self.prose:
            if named := _FACT.fullmatch(line := line.strip().rstrip(_EMPTY_FIELDS)):
                facts[_FACT_NAMES.get(named[1].lower(), named[1].lower())] = named[2]
            else:
                titles.append(line)
        self.facts, self.prose = {}, []
        titled = {"title": titles[0]} if titles else {}
        yield replace(entry, line=number, facts={**titled, **facts, **entry.facts})

    def _is_row(self, text: str) -> bool:
        """Whether a line looks like a row of a block, including a mistyped one."""
        if len(text) > finder.LONGEST_ROW:
            return False
        if finder.candidates_of(text):
            return True
        dense = without_separators(folded(text.strip())).strip(";")
        if _PROSE.search(dense):
            return False
        if finder.is_row_with_gaps(text):
            return True
        return len(dense) < 60 if self.rows else 7 <= len(dense) <= 11 or len(text) == 9

    def _row(self, number: int, text: str) -> Iterator[Found]:
        self.rows.append((number, text))
        if len(self.rows) > _MOST_ROWS:
            yield from self._broken_off()
            return
        rows = [row for _, row in self.rows]
        certain = [row for row in rows if not _may_be_row(row)]
        if len(certain) < len(rows):  # doubtful rows are rows if their sign is beside digits in another row
            doubt = next(row.strip()[:1] for row in reversed(rows) if _may_be_row(row))
            blank = not any(mark in row for row in rows for mark in ".0*_xX-")
            if any("-" in row for row in certain) if doubt else blank:
                certain = rows
        if self.headed and len(certain) == 10:
            del self.rows[0]
        if len(certain) == 9 + self.headed:
            yield from self._finished()

    def _finished(self) -> Iterator[Found]:
        rows, section, facts, frame = self.rows, self.section, self.facts, self.frame
        comment = "\n".join(text.strip().rstrip(_EMPTY_FIELDS) for _, text in self.prose)
        self.rows, self.headed, self.empty = [], False, []
        self.section, self.facts, self.prose, self.frame = "", {}, [], ""
        self.blocks_seen = self.behind_block = True
        if section in ("state", "pencilmarks"):
            yield Addition(section, rows)
            return
        try:
            entry = finder.of_rows(rows)
        except PuzzleFormatError as error:
            yield error if error.line is not None else error.at_line(rows[0][0])
            return
        if section or facts:
            entry = replace(entry, format="sdk", facts=facts)
        elif frame == simple_sudoku.FRAME and entry.candidates is None:
            entry = replace(entry, format="simple_sudoku")
        yield replace(entry, line=rows[0][0], comment=comment)

    def _broken_off(self) -> Iterator[Found]:
        """Report a block that ends before its ninth row."""
        rows = [(number, text) for number, text in self.rows if not _may_be_row(text)]
        if len(self.rows) == 8 and self.empty:
            self.rows.insert(0, self.empty[-1])
            yield from self._finished()
        elif self.headed and len(rows) == 9:
            yield from self._finished()
        elif self.rows:
            self.rows, self.headed, self.empty = [], False, []
            if len(rows) == 1:
                yield from _refused(*rows[0])
            elif rows:
                yield PuzzleFormatError("expected 9 rows, found %(found)s", line=rows[0][0], found=len(rows))

    def _refuse_prose(self) -> Iterator[Found]:
        """Report lines of text without a block below."""
        prose, self.prose = self.prose, []
        for number, text in prose:
            if not _NUMBER.fullmatch(text.strip()):
                yield from _refused(number, text)


def _refused(number: int, text: str) -> Iterator[PuzzleFormatError]:
    """Yield the error of a line that isn't a puzzle by itself."""
    try:
        parse_line(text)
    except PuzzleFormatError as error:
        yield error.at_line(number)


def _is_full(cells: str) -> bool:
    return cells.isdecimal() and "0" not in cells


def _may_be_row(text: str) -> bool:
    """Whether a line is nine dashes or blanks: a row if those are empty cells, else a border or a gap."""
    return len(text) == 9 and (not text.strip() or folded(text) == "-" * 9)


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
            continue
        if isinstance(item, Entry) and item.format in ("block", "simple_sudoku", "sdk"):
            held.append(item)
            if len(held) > 2:
                yield held.pop(0)
            continue
        if isinstance(item, Entry) and item.format == "pencilmarks" and held:
            whole = simple_sudoku.joined(held[0], item, held[1]) if len(held) == 2 else None
            used = 2 if whole else 1
            if whole := whole or simple_sudoku.joined(held[-1], item):
                held, item = held[:-used], whole
        yield from held
        held = []
        yield item
    yield from held
