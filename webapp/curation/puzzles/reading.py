"""Read a file of puzzles in any format, or as a table whose columns a curator has named."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import chain, zip_longest

import engine
from engine import formats
from engine.formats import PUZZLE, Bytes, columns_of
from webapp.curation.puzzles.tables import LineState
from webapp.identity import texts
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _
from webapp.process.words import reason_of

LONGEST_DETAIL = 300  # characters
LONGEST_ROW = 1 << 16  # bytes in a line of a table
SAMPLE = 64 * 1024  # bytes that a preview reads
SHOWN = 8  # rows in a preview
DELIMITERS = (",", ";", "\t", "|")
MOST_COLUMNS = 50

Item = formats.Entry | engine.PuzzleFormatError

# Facts about a puzzle that are stored: their possible names in a file, in our five languages, and the longest
# text.
NAMES = {
    "title": "title name titel título titulo nombre タイトル 題名 标题 名称",
    "author": "author creator designer constructor by autor autorin autora 作者 作成者",
    "source": "source publisher origin url quelle fuente origen 出典 来源 出处",
    "stated_level": "stated_level level difficulty hodoku_level rating er stufe schwierigkeit nivel "
    "dificultad レベル 難易度 级别 难度",
}
MOST_LETTERS = {"title": 200, "author": 100, "source": 200, "stated_level": 40}
FACTS = {key: (tuple(names.split()), MOST_LETTERS[key]) for key, names in NAMES.items()}
PUZZLES = PUZZLE | {"rätsel", "raetsel", "puzle", "rompecabezas", "パズル", "問題", "数独", "谜题", "题目"}


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table by number from 0; None for missing ones."""

    delimiter: str
    header: bool  # whether the first row names the columns
    puzzle: int
    title: int | None = None
    author: int | None = None
    source: int | None = None
    stated_level: int | None = None

    @property
    def text(self) -> str:
        """Return the stored form."""
        return json.dumps(asdict(self))

    @classmethod
    def of(cls, text: str) -> Columns:
        """Parse the stored form."""
        return cls(**json.loads(text))


@dataclass(frozen=True, slots=True)
class Line:
    """A puzzle or an error of an import, and further facts found there."""

    number: int  # from 1: of the line, or further numbers if a line or document holds several
    grid: engine.Grid | None = None
    file_line: int | None = None  # if it isn't `number`
    facts: Mapping[str, str] | None = None  # facts by the keys of FACTS
    form: str = ""  # canonical form of a puzzle with one solution
    solution_class: int = 0
    state: LineState = LineState.NEW
    detail: str = ""


def lines(stream: Bytes, columns: Columns | None = None) -> Iterator[Line]:
    """Yield a file's puzzles and errors, in order and with unique numbers."""
    last = 0
    for item in formats.read(stream) if columns is None else rows(stream, columns):
        last = max(last + 1, item.line or 0)
        file_line = item.line if item.line != last else None
        if isinstance(item, engine.PuzzleFormatError):
            detail = str(item.at_line(None))
            # Words, such as a heading, aren't repeated
            if item.line is not None and item.pattern.startswith("expected 81 cells, found the text"):
                detail = _("line %(number)s isn’t a puzzle of 81 cells", number=item.line)
            yield Line(last, file_line=file_line, state=LineState.INVALID, detail=detail[:LONGEST_DETAIL])
        else:
            yield Line(last, item.givens, file_line, kept_facts(item.facts))


def kept_facts(facts: Mapping[str, str]) -> dict[str, str]:
    """Return the stored ones among a puzzle's facts."""
    if not facts:
        return {}
    known = {name.lower(): text.strip() for name, text in facts.items()}
    kept = {}
    for key, (names, longest) in FACTS.items():
        found = next((known[name] for name in names if known.get(name)), "")
        if found and not (key == "title" and _is_number(found)):  # a column of numbers holds no titles
            kept[key] = texts.cleaned(found[: 10 * longest])[:longest]
    return kept


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).replace(",", "", 1).lstrip("#").isdigit()


# Tables


def rows(stream: Bytes, columns: Columns) -> Iterator[Item]:
    """Yield the puzzles of a table, and for a bad row its error."""
    head, rest = formats.in_utf8(stream)
    lines = _Lines(chain([head], iter(lambda: rest.readline(LONGEST_ROW), b"")))
    reader = csv.reader(lines, delimiter=columns.delimiter)
    at = 0
    while True:
        begun = lines.number + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except engine.PuzzleFormatError as error:
            yield error.at_line(lines.number)
            continue
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
    for key in FACTS:
        place = getattr(columns, key)
        if place is not None and place < len(fields):
            facts[key] = fields[place]
    return formats.Entry(engine.parse(fields[columns.puzzle]), format="csv", facts=facts, line=line)


class _Lines:
    """The decoded lines of a table, numbered. Raises PuzzleFormatError for one, and goes on behind it."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self.number = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        return formats.text_of(line.removeprefix(b"\xef\xbb\xbf")).replace("\0", "\ufffd")


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows of a table, and the columns it seems to have."""

    columns: Columns
    rows: list[list[str]]
    givens: list[str]  # of the puzzles shown

    @property
    def choices(self) -> list[tuple[int | str, str]]:
        """None, or a column by its number from 1, with its value in the first row."""
        columns = enumerate(zip_longest(*self.rows, fillvalue=""), 1)
        return [("", _("None")), *((number, f"{number}: {column[0][:30]}") for number, column in columns)]


def preview(sample: bytes) -> Preview:
    """Parse the first rows of a table with guessed columns."""
    columns = guess(sample) or Columns(",", False, 0)
    table = [row for row in _rows(sample, columns.delimiter) if any(map(str.strip, row))]
    body = table[1:] if columns.header else table
    givens = []
    for row in body[:SHOWN]:
        with suppress(engine.PuzzleFormatError):
            givens.append(str(_entry(row, columns, 1).givens))
    return Preview(columns, table[: SHOWN + columns.header], givens)


def _rows(sample: bytes, delimiter: str) -> list[list[str]]:
    cut = len(sample) >= SAMPLE  # a truncated last line
    head, rest = formats.in_utf8(io.BytesIO(sample))
    sample = head + rest.read()
    whole = (cut and sample[: sample.rfind(b"\n") + 1]) or sample
    found: list[list[str]] = []
    reader = csv.reader(_Lines(io.BytesIO(whole)), delimiter=delimiter)
    while len(found) < 4 * SHOWN:
        try:
            row = next(reader)
        except engine.PuzzleFormatError as error:
            row = [reason_of(error)]
        except (csv.Error, StopIteration):
            break
        found.append([field[:500] for field in row[:MOST_COLUMNS]])
    return found


def guess(sample: bytes) -> Columns | None:
    """Guess the columns of a table with a puzzle in each row; None if it isn't one."""
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
        by_name = next((at for at, name in enumerate(names) if name in PUZZLES and fit[at]), puzzle)
        others: dict[str, int | None] = {}
        for key, (among, _longest) in FACTS.items():
            places = (names.index(name) for name in among if name in names)
            others[key] = next((place for place in places if place != by_name), None)
        title = others["title"]
        if title is not None and all(_is_number(row[title].strip()) for row in table[1:] if title < len(row)):
            others["title"] = None
        if 2 * count >= lines - header and (best is None or count > best[0]):
            best = count, Columns(delimiter, header, by_name, **others)
    return None if best is None else best[1]


def named(text: str, sample: bytes) -> Columns:
    """Return the columns that a text names in order, such as `title,puzzle,,author`. Raises BadInput.

    sample: tells the separator, and whether the first row is a header.
    """
    names = [name.strip() for name in text.split(",")]
    known = ["puzzle", *FACTS]
    wrong = [name for name in names if name and (name not in known or names.count(name) > 1)]
    if wrong or "puzzle" not in names or len(names) > MOST_COLUMNS:
        raise BadInput(
            columns=_(
                "columns: expected each of %(names)s at most once, and a puzzle", names=", ".join(known)
            )
        )
    places = {name: at for at, name in enumerate(names) if name}
    first = sample.partition(b"\n")[0]
    delimiter = max(DELIMITERS, key=lambda mark: first.count(mark.encode()))
    columns = Columns(delimiter, False, **places)
    table = _rows(sample, delimiter)
    puzzle = places["puzzle"]
    header = bool(table) and not (puzzle < len(table[0]) and _is_puzzle(table[0][puzzle]))
    return replace(columns, header=header)


def by_header(sample: bytes) -> Columns | None:
    """Return the columns of a table whose header names its puzzles in one of our languages."""
    columns = guess(sample)
    if columns is None or not columns.header:
        return None
    header = [field.strip().lower() for field in next(iter(_rows(sample, columns.delimiter)), [])]
    named_so = columns.puzzle < len(header) and header[columns.puzzle] in PUZZLES - PUZZLE
    return columns if named_so else None


def is_unknown_table(sample: bytes) -> bool:
    """Whether the text begins a table whose header no format knows."""
    columns = guess(sample)
    if columns is None or not columns.header:
        return False
    try:
        return not columns_of(next(_Lines([formats.in_utf8(io.BytesIO(sample))[0]])))
    except engine.PuzzleFormatError:
        return True


def _is_puzzle(field: str) -> bool:
    """Whether a field is a grid with empty cells, in any format."""
    if len(field.strip()) < 81:
        return False
    try:
        return not engine.parse(field).full
    except engine.PuzzleFormatError:
        return False
