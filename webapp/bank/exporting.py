"""Exports: any number of puzzles in the formats that other programs read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import chain
from typing import Any

import sqlalchemy as sa

import engine
from engine.formats import FORMATS, Entry, cell
from webapp.bank.selection import Filters, conditions
from webapp.models import Daily, Puzzle
from webapp.process.database import db

OFFERED = ("sdm", "csv", "json", "opensudoku")
AT_ONCE = 500  # puzzles in memory
# The columns of a table, named as imports read them; JSON has the same except `givens`.
COLUMNS = (
    *("puzzle", "solution", "givens", "rating", "number", "level", "hardest", "expected_seconds"),
    *("status", "created", "first_started", "daily"),
    *("title", "author", "source", "stated_level"),
)

Row = tuple[Puzzle, date | None]  # a puzzle, and the day of its daily


def numbers(filters: Filters, most: int) -> list[int]:
    """Return the ids of matching puzzles by number; explicit ids keep their order."""
    fitting = sa.select(Puzzle.id).where(*conditions(filters))
    if filters.ids:
        found = set(db.session.scalars(fitting))
        return [number for number in filters.ids[:most] if number in found]
    return list(db.session.scalars(fitting.order_by(Puzzle.id).limit(most)))


def puzzles(numbers: Sequence[int]) -> Iterator[Puzzle]:
    """Yield these puzzles in this order, loaded as needed."""
    return (puzzle for part in _by_number(numbers) for puzzle, _day in part)


def rows(filters: Filters) -> Iterator[list[Row]]:
    """Yield the matching puzzles in parts, by number; explicit ids keep their order."""
    if filters.ids:
        yield from _by_number(numbers(filters, len(filters.ids)))
        return
    last, wanted = 0, conditions(filters, walking=filters.status is None)
    while part := _read(sa.and_(*wanted, Puzzle.id > last), AT_ONCE):
        last = part[-1][0].id
        yield part


def _by_number(numbers: Sequence[int]) -> Iterator[list[Row]]:
    for start in range(0, len(numbers), AT_ONCE):
        part = numbers[start : start + AT_ONCE]
        found = {row[0].id: row for row in _read(Puzzle.id.in_(part), AT_ONCE)}
        yield [found[number] for number in part if number in found]


def _read(which: sa.ColumnElement[bool], most: int) -> list[Row]:
    """Return so many puzzles by number, detached, without leaving a transaction open."""
    query = sa.select(Puzzle, sa.Nullable(Daily.date)).outerjoin(Daily, Daily.puzzle_id == Puzzle.id)
    found = [
        (row[0], row[1]) for row in db.session.execute(query.where(which).order_by(Puzzle.id).limit(most))
    ]
    db.session.expunge_all()
    db.session.rollback()
    return found


def count(filters: Filters) -> int:
    """Count the matching puzzles."""
    matching = sa.select(sa.func.count()).select_from(Puzzle).where(*conditions(filters))
    return db.session.scalar(matching) or 0


def text(parts: Iterator[list[Row]], kind: str) -> Iterator[str]:
    """Yield these puzzles in a format of OFFERED, in pieces."""
    found = chain.from_iterable(parts)
    if kind == "csv":
        return chain([line(COLUMNS)], (line(_facts(*row).values()) for row in found))
    if kind == "json":
        # An object on its own line, with numbers as JSON numbers
        objects = (
            {name: value for name, value in _facts(*row).items() if value is not None and name != "givens"}
            for row in found
        )
        return (json.dumps(each) + "\n" for each in objects)
    return FORMATS[kind].file(_entry(puzzle) for puzzle, _day in found)


def _facts(puzzle: Puzzle, day: date | None) -> dict[str, Any]:
    """Return the values of COLUMNS; None where a puzzle has none."""
    grid = engine.parse(puzzle.givens)
    seconds = puzzle.expected_seconds
    values = (
        *(str(grid), str(engine.solution(grid)), grid.givens, puzzle.explainer, puzzle.id),
        *(
            puzzle.level if puzzle.rated else None,
            puzzle.hardest,
            None if seconds is None else round(seconds),
        ),
        str(puzzle.status),
        *(at and at.isoformat() for at in (puzzle.created_at, puzzle.first_started_at, day)),
        *(puzzle.title, puzzle.author, puzzle.source, puzzle.stated_level),
    )
    return dict(zip(COLUMNS, values, strict=True))


def line(values: Iterable[Any]) -> str:
    """Return a line of a table for spreadsheets."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(map(cell, values))
    return out.getvalue()


def _entry(puzzle: Puzzle) -> Entry:
    grid = engine.parse(puzzle.givens)
    facts = {"number": str(puzzle.id), "level": str(puzzle.level), "folder": f"Ninefold {puzzle.level}"}
    return Entry(grid, solution=engine.solution(grid), comment=f"Ninefold {puzzle.id}", facts=facts)


def watched(parts: Iterator[list[Row]], see: Callable[[list[int]], None]) -> Iterator[list[Row]]:
    """Yield these parts, calling `see` with the numbers of each before it."""
    for part in parts:
        see([puzzle.id for puzzle, _day in part])
        yield part
