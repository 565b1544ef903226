"""CSV and fixed-width tables: puzzle, solution, givens and facts in columns, with a header or without."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

from engine.errors import PuzzleFormatError
from engine.formats.cells import CELL_CHARACTERS, digits_of
from engine.formats.entry import Entry
from engine.formats.format import Format, LineReader
from engine.grid import Grid

_MOST_COLUMNS: Final = 200
_FACTS: Final = ("rating", "number", "level", "hardest")  # that are written, each in a column of its name
HEADER: Final = ",".join(["puzzle", "solution", "givens", *_FACTS])
PUZZLE: Final = frozenset(
    {"puzzle", "puzzles", "quiz", "quizzes", "sudoku", "sudoku puzzle", "grid", "board", "question"}
)
SOLUTION: Final = frozenset({"solution", "solutions", "answer", "solved"})


def columns_of(text: str) -> tuple[str, ...]:
    """The column names of a header line; () where `text` is none."""
    if not any(mark in text for mark in ",;\t") or len(text) > 1000:
        return ()
    names = tuple(name.strip().lower() for name in _fields(text))
    return names if any(name in PUZZLE for name in names) else ()


def recognises(text: str) -> bool:
    """Whether a line without a header holds a puzzle beyond its first field, or a solution too."""
    if not 0 < text.count(",") < _MOST_COLUMNS:
        return False
    fields = _fields(text)
    full = [at for at, field in enumerate(fields) if _is_grid(field)]
    return bool(full) and (full[0] > 0 or len(full) > 1)


def parse(text: str, columns: Sequence[str] = ()) -> Entry:
    """The entry of a row; fields beside puzzle and solution become facts under their column's name.

    columns: the header's names; else the first field of 81 cells is the puzzle, a next its solution.
    Raises PuzzleFormatError naming the cell and the character.
    """
    fields = _fields(text)
    puzzle = next((at for at, name in enumerate(columns) if name in PUZZLE), None)
    solution = next((at for at, name in enumerate(columns) if name in SOLUTION), None)
    if puzzle is None:
        full = [at for at, field in enumerate(fields) if _is_grid(field)]
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
    return Entry(
        _grid(fields[puzzle]),
        format="csv",
        solution=_grid(fields[solution]) if has_solution and solution is not None else None,
        facts={names[at]: fields[at] for at in others if fields[at]},
    )


def write(entry: Entry) -> str:
    """One row under HEADER."""
    out = io.StringIO()
    solution = "" if entry.solution is None else str(entry.solution)
    row = [str(entry.givens), solution, str(entry.givens.givens)]
    csv.writer(out, lineterminator="").writerow([*row, *(entry.facts.get(name, "") for name in _FACTS)])
    return out.getvalue()


def _fields(text: str) -> list[str]:
    delimiter = "," if "," in text else ";" if ";" in text else "\t"
    if text.count(delimiter) >= _MOST_COLUMNS:
        raise PuzzleFormatError(
            "expected at most %(most)s columns, found %(found)s",
            most=_MOST_COLUMNS,
            found=text.count(delimiter) + 1,
        )
    try:
        return [field.strip() for field in next(csv.reader([text.strip()], delimiter=delimiter), [])]
    except csv.Error as error:
        raise PuzzleFormatError("expected comma-separated fields: %(error)s", error=error) from None


def _is_grid(field: str) -> bool:
    return len(field) == 81 and CELL_CHARACTERS.issuperset(field)


def _grid(cells: str) -> Grid:
    if len(cells) != 81:
        raise PuzzleFormatError("expected 81 cells, found %(found)s", found=len(cells))
    return Grid(digits_of(cells))


FORMAT: Final = Format(
    "csv", "comma-separated table", ".csv", write, header=HEADER, line=LineReader(recognises, parse)
)
