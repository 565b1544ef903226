"""CSV and fixed-width tables: puzzle, solution, givens and facts in columns, with or without a header."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

from ..errors import PuzzleFormatError
from ..grid import Grid
from .cells import CELL_CHARACTERS, digits_of
from .entry import Entry
from .finder import refuse_unread
from .format import Format

_MOST_COLUMNS: Final = 200
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")  # how one begins
# Facts that are written, each in a column of its name
_FACTS: Final = ("rating", "number", "level", "hardest")
HEADER: Final = ",".join(["puzzle", "solution", "givens", *_FACTS])
PUZZLE: Final = frozenset(
    {"puzzle", "puzzles", "quiz", "quizzes", "sudoku", "sudoku puzzle", "grid", "board", "question"}
)
SOLUTION: Final = frozenset({"solution", "solutions", "answer", "solved"})


def columns_of(text: str) -> tuple[str, ...]:
    """Return the column names of a header line; () if `text` isn't one."""
    if not any(mark in text for mark in ",;\t") or len(text) > 1000:
        return ()
    names = tuple(name.strip().lower() for name in _fields(text))
    if any(map(_is_grid, names)):  # a row with a field such as "puzzle"
        return ()
    return names if any(name in PUZZLE for name in names) else ()


def _headless(text: str) -> Entry | None:
    """Return the entry of a line with a puzzle after its first field, or with its solution; else None."""
    if not 0 < text.count(",") < _MOST_COLUMNS and not any(text.count(mark) >= 80 for mark in ";\t"):
        return None
    fields = _fields(text)
    full = [at for at, field in enumerate(fields) if _is_grid(field)]
    several = bool(full) and (full[0] > 0 or len(full) > 1 or "\n" in text)
    return parse(text) if several or _cells_at(fields) is not None else None


def parse(text: str, columns: Sequence[str] = ()) -> Entry:
    """Return the entry of a row; other fields become facts named by their column.

    columns: the header's names; else the first field of 81 cells, not all of them filled, is the puzzle and
    the next its solution.
    Raises PuzzleFormatError naming the cell and the character.
    """
    fields = _fields(text)
    first = None if columns else _cells_at(fields)
    if first is not None:
        cells = "".join(each or "." for each in fields[first : first + 81])
        fields = [*fields[:first], cells, *fields[first + 81 :]]
    puzzle = next((at for at, name in enumerate(columns) if name in PUZZLE), None)
    solution = next((at for at, name in enumerate(columns) if name in SOLUTION), None)
    if puzzle is None:
        full = [at for at, field in enumerate(fields) if _is_grid(field)]
        full.sort(key=lambda at: fields[at].isdecimal() and "0" not in fields[at])  # a solution comes last
        puzzle = full[0] if full else 0
        solution = full[1] if len(full) > 1 else None
    if puzzle >= len(fields):
        raise PuzzleFormatError(
            "expected the puzzle in column %(column)s, found %(found)s columns",
            column=puzzle + 1,
            found=len(fields),
        )
    names = [columns[at] if at < len(columns) else f"column_{at + 1}" for at in range(len(fields))]
    others = [at for at in range(len(fields)) if at not in (puzzle, solution) and names[at] != "givens"]
    has_solution = solution is not None and solution < len(fields) and fields[solution]
    grid = _grid(fields[puzzle])
    if solution is None:
        refuse_unread(grid, " ".join(fields[at] for at in others))
    return Entry(
        grid,
        format="csv",
        solution=_grid(fields[solution]) if has_solution and solution is not None else None,
        facts={
            names[at]: fields[at].removeprefix("'" * _is_formula(fields[at])) for at in others if fields[at]
        },
    )


def write(entry: Entry) -> str:
    """Return one row for HEADER."""
    out = io.StringIO()
    solution = "" if entry.solution is None else str(entry.solution)
    facts = (entry.facts.get(name, "") for name in _FACTS)
    row = [str(entry.givens), solution, str(entry.givens.givens), *facts]
    csv.writer(out, lineterminator="").writerow(map(cell, row))
    return out.getvalue()


def cell(value: object) -> object:
    """Return what a cell of a table holds: a text that a spreadsheet would run as a formula is quoted."""
    return f"'{value}" if isinstance(value, str) and _is_formula(value) else value


def _is_formula(text: str) -> bool:
    """Whether a text starts a formula, perhaps quoted, so that a text with a quote of its own keeps it."""
    return text.lstrip("'").startswith(_FORMULA)


def _fields(text: str) -> list[str]:
    delimiter = "," if "," in text else ";" if ";" in text else "\t"
    if text.count(delimiter) >= _MOST_COLUMNS:
        raise PuzzleFormatError(
            "expected at most %(most)s columns, found %(found)s",
            most=_MOST_COLUMNS,
            found=text.count(delimiter) + 1,
        )
    try:
        fields = next(csv.reader(text.strip(" \r\n").splitlines(keepends=True), delimiter=delimiter), [])
    except csv.Error as error:
        raise PuzzleFormatError("expected comma-separated fields: %(error)s", error=error) from None
    return [field if len(field) == 81 else field.strip("\r\n" if "\n" in field else None) for field in fields]


def _cells_at(fields: Sequence[str]) -> int | None:
    """Return where 81 fields of a cell each begin, some empty; None unless there is one such place."""
    if len(fields) < 81:
        return None
    others = [
        at for at, field in enumerate(fields) if len(field) > 1 or not CELL_CHARACTERS.issuperset(field)
    ]
    runs = zip([-1, *others], [*others, len(fields)], strict=True)
    begins = [
        before + 1 for before, after in runs if after - before == 82 and "" in fields[before + 1 : after]
    ]
    return begins[0] if len(begins) == 1 else None


def _is_grid(field: str) -> bool:
    """Whether a field is 81 cells, in a row or in nine lines."""
    cells = field.replace("\n", "")
    return len(cells) == 81 and CELL_CHARACTERS.issuperset(cells)


def _grid(cells: str) -> Grid:
    cells = cells.replace("\n", "")
    if len(cells) != 81:
        raise PuzzleFormatError("expected 81 cells, found %(found)s", found=len(cells))
    return Grid(digits_of(cells))


FORMAT: Final = Format("csv", "comma-separated table", ".csv", write, header=HEADER, line=_headless)
