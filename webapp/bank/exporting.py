"""Exports: any selection of puzzles in the formats that other programs read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

import engine
from engine.formats import FORMATS, Entry
from webapp.bank.selection import Filters, conditions
from webapp.models import Puzzle
from webapp.process.database import db

OFFERED = ("sdm", "csv", "json", "opensudoku")
MOST = 10_000  # puzzles in one file
_AT_ONCE = 500


def numbers(filters: Filters, most: int = MOST) -> list[int]:
    """Return the ids of matching puzzles by number; explicit ids keep their order."""
    fitting = sa.select(Puzzle.id).where(*conditions(filters))
    if filters.ids:
        found = set(db.session.scalars(fitting))
        return [number for number in filters.ids[:most] if number in found]
    return list(db.session.scalars(fitting.order_by(Puzzle.id).limit(most)))


def puzzles(numbers: Sequence[int]) -> Iterator[Puzzle]:
    """Yield these puzzles in this order, loaded as needed."""
    for start in range(0, len(numbers), _AT_ONCE):
        part = numbers[start : start + _AT_ONCE]
        found = {row.id: row for row in db.session.scalars(sa.select(Puzzle).where(Puzzle.id.in_(part)))}
        yield from (found[number] for number in part if number in found)
        db.session.expunge_all()


def count(filters: Filters) -> int:
    """Count the matching puzzles, of which a file holds up to MOST."""
    rows = sa.select(sa.func.count()).select_from(Puzzle).where(*conditions(filters))
    return db.session.scalar(rows) or 0


def text(puzzles: Iterator[Puzzle], kind: str) -> Iterator[str]:
    """Yield these puzzles in a format of OFFERED, piece by piece."""
    return FORMATS[kind].file(map(_entry, puzzles))


def _entry(puzzle: Puzzle) -> Entry:
    grid = engine.parse(puzzle.givens)
    facts = {"number": str(puzzle.id), "level": str(puzzle.level), "folder": f"Ninefold {puzzle.level}"}
    if puzzle.explainer is not None:
        facts["rating"] = f"{puzzle.explainer:.1f}"
    if puzzle.hardest is not None:
        facts["hardest"] = puzzle.hardest
    if puzzle.expected_seconds is not None:
        facts["expected_seconds"] = f"{puzzle.expected_seconds:.0f}"
    return Entry(grid, solution=engine.solution(grid), comment=f"Ninefold {puzzle.id}", facts=facts)
