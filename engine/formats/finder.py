"""The one finder of 81 cells: in a line, in nine rows, or anywhere in a short text.

An empty cell may be a character, or nothing if the layout implies its place: a field between commas, tabs or
bars, or a column of the page. A line may begin with a number or a name, or be an address, and may have the
solution too. Rows may have borders, and candidates instead of cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise, takewhile
from typing import Final
from urllib.parse import unquote

from ..errors import PuzzleFormatError
from ..grid import Grid
from .cells import CELL_CHARACTERS, DIGITS, digits_of, empty_character, folded, without_separators
from .entry import Entry
from .marks import NO_CANDIDATE, from_masks, mask_of, masks_of

Numbered = tuple[int, str]  # a line's number and its text

LONGEST_ROW: Final = 400  # characters: nine cells of nine marked candidates each, and borders
_LONGEST: Final = 8_192  # characters of a line that are searched for cells
_MOST_MISTYPED: Final = 3  # characters of a line of cells; more are a text
# 81 cells, not adjacent to anything else that could be a cell.
_RUNS: Final = "|".join(
    rf"(?<![{empty}])[1-9{empty}]{{81}}(?![{empty}])" for empty in ("0.", "_", "*", "-", "?", "Xx")
)
_CELLS: Final = re.compile(rf"(?<![0-9A-Za-z.])(?:{_RUNS})(?![0-9A-Za-z.])")
_NUMBER: Final = re.compile(r"\s*(?:\d{1,9}[.):]?)?\s*")  # of a puzzle, before its cells
_UNREAD: Final = re.compile(r"\S{81,}")  # beside a full grid: a puzzle in an unknown writing
_DENSE: Final = re.compile(r"[^\s,;#|]{81,}")
_COMMENT: Final = re.compile(r"[#;]")
_BEFORE_COMMENT: Final = " \t,;#|"
_AROUND: Final = " \t,;:#|=\"'`([{<>}])"
_EXPLAINER: Final = re.compile(r"(?:^|[\s=])(\d{1,2}\.\d)/(\d{1,2}\.\d)/(\d{1,2}\.\d)\b")  # ER/EP/ED, serate
_HODOKU: Final = re.compile(r"^\d+ (Easy|Medium|Hard|Unfair|Extreme) \((\d+)\)$")  # HoDoKu's batch output

_LEVEL_STROKES: Final = re.compile(r"---|===|:-|[─━═╌╍┄┅┈┉]")
_DELIMITERS: Final = "\t;,|&"
_GLUE: Final = " \"'\\"  # around a field
_DIGITS_OR_BLANK: Final = re.compile(r"[1-9 |]*")
# Possible columns of the nine cells: the distance from one to the next, and the extra distance between boxes.
_STRIDES: Final = [(stride, gap) for stride in range(1, 7) for gap in range(4)]
_MOST_COLUMNS: Final = 80
# A cell's candidates and their suffixes: '-' removed, '*' pattern, '#' fin, '@' endo-fin, 'A' set.
_CANDIDATES: Final = re.compile(rf"(?:-?[1-9][*#@A-Z]*){{1,9}}|{NO_CANDIDATE}")
_BETWEEN_CANDIDATES: Final = re.compile(r"[\s|,:!]+")

_MOST_DIGITS: Final = 100  # of a full grid and its labels
_FEWEST: Final = 17  # placements: no puzzle with one solution has less
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
_MEMBERS: Final = [
    re.compile(rf"""["'](?:{names})["']\s*:\s*["']?([0-9])\b""", re.IGNORECASE)
    for names in ("row|r|y|i", "column|col|c|x|j", "value|val|v|digit|d|number|n")
]
_ROW_END: Final = re.compile(r"</tr>|<br\s*/?>|\\r\\n|\\n|\\r", re.IGNORECASE)
_CELL_END: Final = re.compile(r"</t[dh]>", re.IGNORECASE)
_TAGS: Final = re.compile(r"<[^<>]*>?|^[^<>]*>")  # and a part of one
_TAG: Final = re.compile(r"<[^<>]*>|&nbsp;")
_SEPARATORS: Final = ("/", ";", "|", ",", "-", "_", "\\", "+", "~", ":")
_ROW_OF_NINE: Final = re.compile(r"(?<!\S)\S{9}(?!\S)")
_GROUP: Final = re.compile(r"[1-9]+")
_DIGIT: Final = re.compile(r"\d")
_OS: Final = re.compile(r"[1-9Oo|\s]{81,200}")
_O_TO_ZERO: Final = str.maketrans("Oo", "00")


def of_line(text: str) -> Entry:
    """Return the entry of one line. Raises PuzzleFormatError naming cell and character."""
    raw = text.rstrip("\r\n")
    if entry := _run_among_words(unquote(folded(raw))) if len(raw) <= _LONGEST else None:
        return entry
    if len(raw) >= 81 and not raw[:81].strip(DIGITS + " ") and raw[81:].strip()[:1] in ("", "#", ";"):
        comment = raw[81:].strip(_BEFORE_COMMENT)
        return Entry(Grid(digits_of(raw[:81])), comment=comment, facts=facts_of(comment))
    cut = _COMMENT.search(raw)
    end = cut.start() if cut else len(raw)
    dense = _DENSE.match(raw.strip())
    cells = dense[0] if dense else without_separators(folded(raw[:end].strip()))
    assigned = without_separators(folded(raw.partition("=")[2] or raw)).strip(";")
    if len(cells) != 81 and len(assigned) == 81 and CELL_CHARACTERS.issuperset(assigned):
        return Entry(Grid(digits_of(assigned)))
    if len(cells) != 81:
        _refuse(cells, text)
    grid, comment = Grid(digits_of(cells)), raw[end:].strip(_BEFORE_COMMENT)
    refuse_unread(grid, comment)
    return Entry(grid, comment=comment, facts=facts_of(comment))


def _run_among_words(text: str) -> Entry | None:
    """Return the one puzzle in a line of other text, which may also have its solution; None if there is none,
    or several without one that begins the line.
    """
    runs = [run for run in _CELLS.finditer(text) if run[0].strip("-_*?Xx")]
    open_ones = [run for run in runs if not run[0].isdecimal() or "0" in run[0]]
    if not runs:
        return None
    run = (open_ones or runs)[0]
    before, after = (_TAGS.sub(" ", part) for part in (text[: run.start()], text[run.end() :]))
    first = _NUMBER.fullmatch(before)
    if not first and (len(open_ones or runs) > 1 or len(runs) > 2):
        return None
    others = [other for other in runs if other not in open_ones and other is not run]
    solution = Grid(digits_of(others[0][0])) if len(runs) == 2 and others and open_ones else None
    grid = Grid(digits_of(run[0]))
    before = "" if first else before.strip(_AROUND)
    if "://" in before:
        return Entry(grid, solution=solution)
    refuse_unread(grid, f"{before} {after}")
    after = after.strip(_BEFORE_COMMENT if first else _AROUND)
    facts = {"title": before} if before else {}
    return Entry(grid, comment="" if solution else after, solution=solution, facts=facts | facts_of(after))


def _refuse(cells: str, text: str) -> None:
    """Raise an error for a run of the wrong length: the first bad character, else the count."""
    if "://" in cells or "//" in cells[:12]:
        raise PuzzleFormatError("expected an address that holds 81 cells, found none in it")
    if sum(character not in CELL_CHARACTERS for character in cells) > _MOST_MISTYPED:
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
    if not text.strip(DIGITS):
        return PuzzleFormatError("expected 81 cells, found %(found)s", found=len(text))
    return PuzzleFormatError("expected 81 cells, found the text %(found)s", found=f"{' '.join(words)!r:.40}")


def refuse_unread(grid: Grid, around: str) -> None:
    """Refuse a full grid that may be the solution of what stands beside it."""
    if grid.full and (unread := _UNREAD.search(around.replace(str(grid), ""))):
        _refuse(unread[0], unread[0])


def facts_of(comment: str) -> dict[str, str]:
    """Return the ratings that other programs write into the comment."""
    if rated := comment and _EXPLAINER.search(comment):
        return dict(zip(("er", "ep", "ed"), rated.groups(), strict=True))
    if graded := comment and _HODOKU.match(comment):
        return {"hodoku_level": graded[1], "hodoku_score": graded[2]}
    return {}


# Nine rows


def is_border(row: str) -> bool:
    """Whether a line draws a border: strokes and no digit."""
    if len(row) > LONGEST_ROW or ("-" not in (plain := folded(row)) and "=" not in plain):
        return False
    if any(digit in plain for digit in DIGITS):
        return False
    strokes = without_separators(plain)
    return _LEVEL_STROKES.search(row) is not None or (len(strokes) not in (0, 9) and not strokes.strip("-="))


def is_row_with_gaps(row: str) -> bool:
    """Whether a line by itself is a row with empty cells between bars or tabs."""
    text = folded(row)
    if _DIGITS_OR_BLANK.fullmatch(text):
        return text.count("|") > 1
    return any(_fields(text, delimiter) for delimiter in _DELIMITERS) or (
        "\t" in text and text.count("\t") < 9 and _is_cells(text.split("\t"))
    )


def candidates_of(row: str) -> list[str]:
    """Return the nine cells of a row of candidates; [] if `row` isn't one."""
    if len(row) > LONGEST_ROW:
        return []
    tokens = [token for token in _BETWEEN_CANDIDATES.split(folded(row)) if token]
    if len(tokens) != 9 or not all(map(_CANDIDATES.fullmatch, tokens)):
        return []
    return tokens if all(_ascends(_DIGIT.findall(token)) for token in tokens) else []


def _ascends(digits: Sequence[str]) -> bool:
    return all(one < two for one, two in pairwise(digits))


def of_rows(lines: Sequence[Numbered]) -> Entry:
    """Return the entry of nine rows of cells or candidates, among borders and lines without cells.

    Raises PuzzleFormatError naming line, cell and character.
    """
    tokens = [token for _, text in lines if not is_border(text) for token in candidates_of(text)]
    if any(len(token) > 1 or token == NO_CANDIDATE for token in tokens):
        rows = [(line, text) for line, text in lines if text.strip() and not is_border(text)]
        for line, text in rows:
            if not candidates_of(text):
                found = f"{text.strip()!r:.60}"
                raise PuzzleFormatError(
                    "expected 9 cells of candidates, found %(found)s", line=line, found=found
                )
        if len(rows) != 9:
            raise PuzzleFormatError("expected 9 rows of candidates, found %(found)s", found=len(rows))
        return from_masks([mask_of(_DIGIT.findall(token)) for token in tokens])
    return Entry(Grid(digits_of_rows(lines)), format="block")


def digits_of_rows(lines: Sequence[Numbered]) -> bytes:
    """Return the 81 digits 0..9 of nine rows. Raises PuzzleFormatError naming line, cell and character."""
    cut = _cut(lines)
    for row, (line, cells) in enumerate(cut[:9], 1):
        if len(cells) != 9:
            raise PuzzleFormatError(
                "expected 9 cells in row %(row)s, found %(found)s", line=line, row=row, found=len(cells)
            )
    if len(cut) != 9:
        raise PuzzleFormatError(
            "expected 9 rows, found %(found)s", line=cut[9][0] if len(cut) > 9 else None, found=len(cut)
        )
    text = "".join(cells for _, cells in cut)
    return digits_of(text, empty=empty_character(text), places=[cut[cell // 9][0] for cell in range(81)])


def _cut(lines: Sequence[Numbered]) -> list[Numbered]:
    """Split rows into cells; not nine by nine if `lines` aren't a puzzle in any layout."""
    ruled = [(line, folded(text)) for line, text in lines if not is_border(text)]
    rows = [(line, text) for line, text in ruled if text.strip()]
    if len(rows) != 9:  # '-' may mark an empty cell, so that a row of nine of them is no border
        dashed = [
            (line, folded(text))
            for line, text in lines
            if text.strip() and (text.strip() == "-" * 9 or not is_border(text))
        ]
        rows = dashed if len(dashed) == 9 else rows
    dense = [(line, without_separators(text)) for line, text in rows]
    if len(dense) == 9 and all(len(cells) == 9 for _, cells in dense):
        return dense
    if len(rows) != 9:  # blank lines may be rows
        while len(ruled) > 9 and not ruled[-1][1].strip():
            del ruled[-1]
        while len(ruled) > 9 and not ruled[0][1].strip():
            del ruled[0]
        if len(ruled) == 11 and not ruled[3][1].strip() and not ruled[7][1].strip():
            del ruled[7], ruled[3]
        rows = ruled
    texts = [text for _, text in rows]
    cells = (_by_fields(texts) or _by_columns(texts)) if len(rows) == 9 else []
    return [(line, each) for (line, _), each in zip(rows, cells, strict=True)] if cells else dense


def _by_fields(rows: Sequence[str]) -> list[str]:
    """Return nine rows of nine fields, an empty field being an empty cell; [] if `rows` have another layout.

    Fields at the end may be missing if another row has all nine.
    """
    for delimiter in _DELIMITERS:
        fields = [_fields(row, delimiter) for row in rows]
        if any(fields):
            whole = [
                found or _filled_up([field.strip(_GLUE) for field in row.rstrip().split(delimiter)])
                for found, row in zip(fields, rows, strict=True)
            ]
            if all(whole):
                return ["".join(field or "." for field in found) for found in whole]
    return []


def _filled_up(fields: list[str]) -> list[str]:
    return fields + [""] * (9 - len(fields)) if len(fields) <= 9 and _is_cells(fields) else []


def _fields(row: str, delimiter: str) -> list[str]:
    """Return the nine fields of a row, of at most one cell each; [] if there aren't nine."""
    if not 8 <= row.count(delimiter) <= 10:
        return []
    fields = [field.strip(_GLUE) for field in row.split(delimiter)]
    if len(fields) == 11 and not fields[0] and not fields[10]:
        fields = fields[1:10]
    elif len(fields) == 10 and not fields[9]:
        del fields[9]
    return fields if len(fields) == 9 and _is_cells(fields) else []


def _is_cells(fields: Sequence[str]) -> bool:
    return all(len(field.strip(_GLUE)) < 2 for field in fields)


def _by_columns(rows: Sequence[str]) -> list[str]:
    """Return nine rows whose digits are in nine columns of the page; [] if ambiguous.

    Blanks that an editor stripped from the end of a row are empty cells too. Bars, if any, are around all
    columns, around boxes, or around each column.
    """
    texts = [row.rstrip() for row in rows]
    if not all(map(_DIGITS_OR_BLANK.fullmatch, texts)):
        return []
    used = {at for text in texts for at, character in enumerate(text) if character in DIGITS}
    bars = {at for text in texts for at, character in enumerate(text) if character == "|"}
    if not used or max(used) >= _MOST_COLUMNS or used & bars:
        return []
    found = set()
    for stride, gap in _STRIDES:
        steps = [stride * column + gap * (column // 3) for column in range(9)]
        for start in range(max(0, max(used) - steps[8]), min(used) + 1):
            columns = [start + step for step in steps]
            groups = [sum(bar < column for bar in bars) for column in columns]
            ruled = bars.isdisjoint(columns) and len({groups.count(group) for group in groups}) == 1
            if ruled and used.issubset(columns):
                found.add(
                    tuple("".join(text[at : at + 1].strip() or "." for at in columns) for text in texts)
                )
    return list(found.pop()) if len(found) == 1 else []


# Anything else


def anywhere(text: str, strictly: Callable[[str], Entry]) -> Entry | None:
    """Make one tolerant try at a text in any layout: other separators, labels, placements, words around.

    strictly: reads one puzzle of lines; each rewriting of the text goes there again. None if there is no
    puzzle. A full grid may be the solution of a puzzle that can't be read, so it must be all that has digits.
    """
    text = folded(text)
    if found := _placements(text):
        return found
    attempts: list[Callable[[], Entry | None]] = [partial(_tokens, text), partial(_among_lines, text)]
    for written in dict.fromkeys(_rewritten(text)):
        attempts += [partial(strictly, written), partial(_among_lines, written)]
    for attempt in attempts:
        try:
            found = attempt()
        except PuzzleFormatError:
            continue
        if found:
            full = found.givens.full and len(_DIGIT.findall(text)) > _MOST_DIGITS
            return None if full else found
    return None


def _placements(text: str) -> Entry | None:
    """Return the entry of a list of placements, such as r1c3=7 or A3=7, or of JSON objects of the same."""
    objects = [[name.search(each) for name in _MEMBERS] for each in _OBJECT.findall(text)]
    numbers = [[int(each[1]) for each in cell if each] for cell in objects if all(cell)]
    base = min((number for cell in numbers for number in cell[:2]), default=0)
    placed = [(row - base, column - base, digit) for row, column, digit in numbers]
    for line, pair, upper, lower, column, digit in _PLACEMENT.findall(text):
        row = int(line or pair) if line or pair else ord((upper or lower).upper()) - ord("A") + 1
        placed.append((row - 1, int(column) - 1, int(digit)))
    digits = bytearray(81)
    for row, column, digit in placed:
        cell = 9 * row + column
        if not (0 <= row < 9 and 0 <= column < 9) or digits[cell] not in (0, digit):
            return None
        digits[cell] = digit
    return Entry(Grid(bytes(digits))) if len(placed) >= _FEWEST else None


def _tokens(text: str) -> Entry | None:
    """Return the entry of a list of 81 numbers, whole or floats, or of 81 groups of digits in any layout."""
    found = _BRACKETED.search(text)
    tokens = [_TOKEN.fullmatch(token) for token in _TOKENS.findall(found[0] if found else "")]
    if len(tokens) == 81 and all(tokens):
        return Entry(Grid(digits_of("".join(token[1] for token in tokens if token))), format="block")
    groups = _GROUP.findall(text)
    if len(groups) != 81 or not all(map(_ascends, groups)):
        return None
    entry = from_masks([mask_of(group) for group in groups])
    return entry if any(entry.candidates or ()) else None


def candidates_in(text: str) -> Entry | None:
    """Return the entry of 729 characters, nine a cell; None for any other text. Raises PuzzleFormatError."""
    dense = without_separators(text.strip()) if len(text) >= 729 else ""
    return from_masks(masks_of(dense)) if len(dense) == 729 else None


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
