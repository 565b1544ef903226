"""A drawing of the exact cover matrix: what is left of it, and what a step covers or uncovers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.geometry import cell_name
from engine.traces import CoverTrace, columns_of
from webapp.process.words import gettext as _

COLUMNS: Final = 4 * 81
ROWS: Final = 9 * 81
MOST_NAMED: Final = 36  # columns or rows that can be named at the edge of a drawing
CELL: Final = 10  # units of a drawing with names
EDGE: Final = 58  # units for the names


@dataclass(frozen=True, slots=True)
class Name:
    """A name at the edge."""

    text: str
    at: float  # the middle of its column or row
    changed: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """The matrix's ones as paths of squares, one unit each (CELL units with names)."""

    width: int
    height: int
    columns: int  # number drawn
    rows: int
    unit: int
    left: str  # ones present before and after the step
    changed: str  # ones that it removes or restores
    gone: str  # ones that were covered before; only of the whole matrix
    bands: tuple[int, ...]  # the columns covered or uncovered, as places in the drawing
    band_row: int | None  # the row chosen or taken back
    column_names: tuple[Name, ...] = ()
    row_names: tuple[Name, ...] = ()


def drawn(trace: CoverTrace, step: int, *, whole: bool) -> Drawing:
    """Draw the matrix at a step: all of it, or the columns and rows left before or after it, whichever are
    more.
    """
    after = trace.live_at(step)
    before = trace.live_at(step - 1) if step else after
    more, less = (before, after) if len(before.columns) >= len(after.columns) else (after, before)
    columns = range(COLUMNS) if whole else more.columns
    rows = range(ROWS) if whole else more.rows
    named = not whole and len(columns) <= MOST_NAMED and len(rows) <= MOST_NAMED
    unit, edge = (CELL, EDGE) if named else (1, 0)
    column_at = {column: place for place, column in enumerate(columns)}
    row_at = {row: place for place, row in enumerate(rows)}
    changed_columns = set(more.columns) - set(less.columns)
    chosen = trace.steps[step - 1].row if step else None
    staying, moving = set(less.rows), set(more.rows) - set(less.rows)

    def path(which: Iterable[int]) -> str:
        return "".join(
            f"M{edge + unit * column_at[column]} {edge + unit * row_at[row]}h{unit}v{unit}h-{unit}z"
            for row in which
            for column in columns_of(row)
        )

    return Drawing(
        width=edge + unit * len(columns),
        height=edge + unit * len(rows),
        columns=len(columns),
        rows=len(rows),
        unit=unit,
        left=path(sorted(staying)),
        changed=path(sorted(moving)),
        gone=path(row for row in rows if row not in staying and row not in moving) if whole else "",
        bands=tuple(edge + unit * column_at[column] for column in sorted(changed_columns)),
        band_row=None if chosen not in row_at else edge + unit * row_at[chosen],
        column_names=_names(columns, column_name, edge, changed_columns) if named else (),
        row_names=_names(rows, row_name, edge, moving) if named else (),
    )


def _names(
    which: Sequence[int], name: Callable[[int], str], edge: int, changed: set[int]
) -> tuple[Name, ...]:
    return tuple(
        Name(name(each), edge + CELL * (place + 0.5), each in changed) for place, each in enumerate(which)
    )


def row_name(row: int) -> str:
    """A row of the matrix: `r3c4=5`."""
    return f"{cell_name(row // 9)}={row % 9 + 1}"


def column_name(column: int) -> str:
    """A column of the matrix, short: `r3c4`, `5 in r3`, `5 in c4`, `5 in b2`."""
    if column < 81:
        return cell_name(column)
    house, digit = divmod(column - 81, 9)
    return f"{digit + 1} in {'rcb'[house // 9]}{house % 9 + 1}"


def column_words(column: int) -> str:
    """Describe the constraint of a column of the matrix."""
    if column < 81:
        return _("cell %(cell)s filled", cell=cell_name(column))
    house, digit = divmod(column - 81, 9)
    number = house % 9 + 1
    if house < 9:
        return _("%(digit)s in row %(number)s", digit=digit + 1, number=number)
    if house < 18:
        return _("%(digit)s in column %(number)s", digit=digit + 1, number=number)
    return _("%(digit)s in box %(number)s", digit=digit + 1, number=number)
