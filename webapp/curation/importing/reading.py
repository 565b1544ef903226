"""Reading a file of puzzles: in any format, or as a table whose columns a curator has named.

Keeps a few lines in memory, and counts every line of the file, whether it holds a puzzle or not.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import engine
from engine import formats
from engine.formats import Bytes
from engine.formats.table import PUZZLE, columns_of
from webapp.models import LineState
from webapp.process.words import gettext as _
from webapp.process.words import reason_of

LONGEST_DETAIL = 300  # characters
LONGEST_ROW = 1 << 16  # bytes of a line of a table
SAMPLE = 64 * 1024  # bytes that a preview looks at
SHOWN = 8  # rows of a preview
DELIMITERS = (",", ";", "\t", "|")
MOST_COLUMNS = 50

Item = formats.Entry | engine.PuzzleFormatError

# What is kept of what a file says about a puzzle: the names it may have there, and its longest text.
TOLD: Mapping[str, tuple[tuple[str, ...], int]] = {
    "title": (("title", "name"), 200),
    "author": (("author", "creator", "designer", "constructor", "by"), 100),
    "source": (("source", "publisher", "origin", "url"), 200),
    "stated_level": (("stated_level", "level", "difficulty", "hodoku_level", "rating", "er"), 40),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """Where a table has what, by the numbers of its columns from 0; None for what it lacks."""

    delimiter: str
    header: bool  # whether the first row names the columns
    puzzle: int
    title: int | None = None
    author: int | None = None
    source: int | None = None
    stated_level: int | None = None

    @property
    def text(self) -> str:
        """How it is stored."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, text: str) -> Columns:
        """Read what `text` has stored."""
        return cls(**json.loads(text))


@dataclass(frozen=True, slots=True)
class Line:
    """A puzzle of an import, or an error in its place, and what was found there."""

    number: int  # from 1: of the line, or further ones where a line or a document holds several
    grid: engine.Grid | None = None
    file_line: int | None = None  # where it is not `number`
    told: Mapping[str, str] | None = None  # by the keys of TOLD
    form: str = ""  # canonical form of a puzzle with one solution
    solution_class: int = 0
    state: LineState = LineState.NEW
    detail: str = ""


class Reading:
    """The lines of a file in order, with counts of what has been read so far."""

    def __init__(self, stream: Bytes, columns: Columns | None = None) -> None:
        self._stream = stream
        self._columns = columns
        self.bytes = 0
        self._ends = 0  # of lines
        self._whole = True  # whether the last line read had an end
        self.held = 0  # lines of the file that held a puzzle or an error; 0 for a document

    def read(self, size: int = -1, /) -> bytes:
        """Return bytes of the stream, counted."""
        return self._counted(self._stream.read(size))

    def readline(self, size: int = -1, /) -> bytes:
        """Return a line of the stream, counted."""
        return self._counted(self._stream.readline(size))

    def _counted(self, data: bytes) -> bytes:
        if data:
            self.bytes += len(data)
            self._ends += data.count(b"\n")
            self._whole = data.endswith(b"\n")
        return data

    @property
    def lines_read(self) -> int:
        """How many lines of the file have been read."""
        return self._ends + (not self._whole)

    def pass_over(self) -> int:
        """Read what is left without looking at it. Returns how many lines that were."""
        before = self.lines_read
        while self.read(1 << 20):
            pass
        return self.lines_read - before

    def lines(self) -> Iterator[Line]:
        """Yield what the file holds, in order and with unique numbers."""
        last = at = 0
        items = formats.read(self) if self._columns is None else rows(self, self._columns)
        for item in items:
            last = max(last + 1, item.line or 0)
            if item.line is not None and item.line != at:
                at = item.line
                self.held += 1
            file_line = item.line if item.line != last else None
            if isinstance(item, engine.PuzzleFormatError):
                detail = _detail(item)[:LONGEST_DETAIL]
                yield Line(last, file_line=file_line, state=LineState.INVALID, detail=detail)
            else:
                yield Line(last, item.givens, file_line, told_of(item.facts))


def _detail(error: engine.PuzzleFormatError) -> str:
    """Say what is wrong with a line. Of words, such as a heading, it would only be the first letter."""
    of_81_cells = "empty" in error.values
    if error.line is not None and error.cell == 0 and (error.character or "").isalpha() and not of_81_cells:
        return _("line %(number)s isn’t a puzzle of 81 cells", number=error.line)
    return str(error.without_line())


def told_of(facts: Mapping[str, str]) -> dict[str, str]:
    """Return what is kept of the facts of a puzzle."""
    if not facts:
        return {}
    known = {name.lower(): text.strip() for name, text in facts.items()}
    told = {}
    for key, (names, longest) in TOLD.items():
        found = next((known[name] for name in names if known.get(name)), "")
        if found:
            told[key] = found.replace("\0", "")[:longest]
    return told


# Tables


def rows(stream: Bytes, columns: Columns) -> Iterator[Item]:
    """Yield the puzzles of a table, and the error of a row in its place."""
    reader = _reader(iter(lambda: stream.readline(LONGEST_ROW), b""), columns.delimiter)
    at = 0
    while True:
        begun = reader.line_num + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield engine.PuzzleFormatError("expected a row of a table: %(error)s", line=begun, error=error)
            continue
        at += 1
        if (at == 1 and columns.header) or not any(map(str.strip, fields)):
            continue
        try:
            yield _entry(fields, columns, begun)
        except engine.PuzzleFormatError as error:
            yield error.at_line(begun)


def _entry(fields: Sequence[str], columns: Columns, line: int) -> formats.Entry:
    if columns.puzzle >= len(fields):
        raise engine.PuzzleFormatError(
            "expected the puzzle in column %(column)s, found %(found)s columns",
            column=columns.puzzle + 1,
            found=len(fields),
        )
    facts = {}
    for key in TOLD:
        place = getattr(columns, key)
        if place is not None and place < len(fields):
            facts[key] = fields[place]
    return formats.Entry(engine.parse(fields[columns.puzzle]), format="csv", facts=facts, line=line)


def _reader(lines: Iterable[bytes], delimiter: str) -> Any:  # csv has no public name for it
    texts = (line.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace") for line in lines)
    return csv.reader((text.replace("\0", "\ufffd") for text in texts), delimiter=delimiter)


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows of a table, and the columns it seems to have."""

    columns: Columns
    rows: list[list[str]]
    found: list[str]  # by row: "" for a puzzle, or the reason why it is none
    givens: list[str]  # of the puzzles shown

    @property
    def width(self) -> int:
        """How many columns its rows have at most."""
        return max(map(len, self.rows), default=0)


def preview(sample: bytes, columns: Columns | None = None) -> Preview | None:
    """Lay out the first rows of a table; by default with the columns it seems to have, None without any."""
    columns = columns or guess(sample)
    if columns is None:
        return None
    table = [row for row in _rows(sample, columns.delimiter) if any(map(str.strip, row))]
    body = table[1:] if columns.header else table
    found, givens = [], []
    for row in body[:SHOWN]:
        try:
            givens.append(str(_entry(row, columns, 1).givens))
            found.append("")
        except engine.PuzzleFormatError as error:
            found.append(reason_of(error)[:LONGEST_DETAIL])
    return Preview(columns, table[: SHOWN + columns.header], found, givens)


def _rows(sample: bytes, delimiter: str) -> list[list[str]]:
    cut = len(sample) >= SAMPLE  # in its last line
    whole = (cut and sample[: sample.rfind(b"\n") + 1]) or sample
    found: list[list[str]] = []
    try:
        for row in islice(_reader(io.BytesIO(whole), delimiter), 4 * SHOWN):
            found.append([field[:500] for field in row[:MOST_COLUMNS]])
    except csv.Error:
        pass
    return found


def guess(sample: bytes) -> Columns | None:
    """Return the columns of what looks like a table with a puzzle in each row; None for anything else."""
    lines = sum(1 for line in sample.splitlines()[: 4 * SHOWN] if line.strip())
    best: tuple[int, Columns] | None = None
    for delimiter in DELIMITERS:
        table = [row for row in _rows(sample, delimiter) if len(row) > 1]
        fit = Counter(at for row in table for at, field in enumerate(row) if _is_puzzle(field))
        if not fit:
            continue
        puzzle, count = min(fit.items(), key=lambda item: (-item[1], item[0]))
        header = not any(map(_is_puzzle, table[0]))
        names = [field.strip().lower() for field in table[0]] if header else []
        by_name = next((at for at, name in enumerate(names) if name in PUZZLE and fit[at]), puzzle)
        others = {key: _named(names, among, by_name) for key, (among, _longest) in TOLD.items()}
        if 2 * count >= lines - header and (best is None or count > best[0]):
            best = count, Columns(delimiter, header, by_name, **others)
    return None if best is None else best[1]


def is_unknown_table(sample: bytes) -> bool:
    """Whether this begins a table under a header that no format knows."""
    columns = guess(sample)
    if columns is None or not columns.header:
        return False
    return not columns_of(sample.partition(b"\n")[0].removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"))


def _named(names: Sequence[str], among: Sequence[str], puzzle: int) -> int | None:
    return next((names.index(name) for name in among if name in names and names.index(name) != puzzle), None)


def _is_puzzle(field: str) -> bool:
    """Whether a field is a grid that is not full, in any format."""
    if len(field.strip()) < 81:
        return False
    try:
        return not engine.parse(field).full
    except engine.PuzzleFormatError:
        return False
