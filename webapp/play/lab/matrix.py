"""The part of the exact cover matrix that a step is about: a column, its rows, and those that leave."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.geometry import cell_name
from engine.traces import Column, columns_of
from webapp.process.words import gettext as _

SHOWN: Final = 3  # rows of the column whose other columns are drawn
MOST_LEAVING: Final = 7  # rows that leave and are drawn
ALWAYS: Final = 4  # columns that a phone shows too


class Row(NamedTuple):
    """A row of the table."""

    name: str
    ones: tuple[bool, ...]  # in the columns of the head
    others: int  # ones elsewhere
    others_narrow: int  # and beyond the columns that a phone shows
    chosen: bool


class Table(NamedTuple):
    """The table at a step."""

    columns: list[tuple[str, str, bool]]  # house, what it wants there, whether the chosen row covers it
    rows: list[Row]  # of the column
    leaving: list[Row]  # those of them that are drawn
    leave: int  # how many do
    width: int  # with the names and the others


def table(found: Column) -> Table:
    """Draw a column."""
    head = list(
        dict.fromkeys([found.column, *(each for row in found.rows[:SHOWN] for each in columns_of(row))])
    )
    covered = () if found.chosen is None else columns_of(found.chosen)

    def drawn(row: int) -> Row:
        ones = tuple(each in columns_of(row) for each in head)
        return Row(row_name(row), ones, 4 - sum(ones), 4 - sum(ones[:ALWAYS]), row == found.chosen)

    return Table(
        [(*column_words(each), each in covered) for each in head],
        list(map(drawn, found.rows)),
        list(map(drawn, found.leaving[:MOST_LEAVING])),
        len(found.leaving),
        len(head) + 2,
    )


def row_name(row: int) -> str:
    """A row of the matrix: `5 in r3c4`."""
    return _("%(digit)s in %(cell)s", digit=row % 9 + 1, cell=cell_name(row // 9))


def column_words(column: int) -> tuple[str, str]:
    """Name a column of the matrix: its house and what it wants there."""
    if column < 81:
        return _("cell"), cell_name(column)
    house, digit = divmod(column - 81, 9)
    houses = _("row %(number)s"), _("col %(number)s"), _("box %(number)s")
    return houses[house // 9] % {"number": house % 9 + 1}, str(digit + 1)


def column_name(column: int) -> str:
    """Name a column in a sentence: `5 in row 3`, or `r3c4`."""
    house, what = column_words(column)
    return what if column < 81 else _("%(digit)s in %(cell)s", digit=what, cell=house)
