"""Exports: any selection of puzzles in the formats that other programs read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

import engine
from engine.formats import FORMATS, Entry, opensudoku
from webapp.database import db
from webapp.models import ImportLine, Puzzle, Status

OFFERED = ("sdm", "csv", "json", "opensudoku")
MOST = 10_000  # puzzles in one file
CURATED = (Status.CANDIDATE, Status.APPROVED, Status.REJECTED, Status.DAILY)  # not what players entered
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Selection:
    """Which puzzles; None lets everything through."""

    ids: Sequence[int] = ()
    status: str | None = None
    level: int | None = None
    hardest: str | None = None
    er_from: float | None = None
    er_to: float | None = None
    minutes_from: float | None = None
    minutes_to: float | None = None
    order: int | None = None  # the order they were made for
    batch: int | None = None  # the import they came with


def selected(selection: Selection, most: int = MOST) -> Iterator[Puzzle]:
    """The puzzles of a selection by their number; ids in the order they are named."""
    query = _query(selection)
    if selection.ids:
        ids = [number for number in selection.ids if number < 2**31][:most]
        for start in range(0, len(ids), _AT_ONCE):
            part = ids[start : start + _AT_ONCE]
            found = {puzzle.id: puzzle for puzzle in db.session.scalars(query.where(Puzzle.id.in_(part)))}
            yield from (found[number] for number in part if number in found)
        return
    last = 0
    while most > 0:
        part = db.session.scalars(
            query.where(Puzzle.id > last).order_by(Puzzle.id).limit(min(most, _AT_ONCE))
        ).all()
        if not part:
            return
        yield from part
        most -= len(part)
        last = part[-1].id
        db.session.expunge_all()


def count(selection: Selection) -> int:
    """How many puzzles a selection has."""
    rows = _query(selection).with_only_columns(sa.func.count(), maintain_column_froms=True)
    if selection.ids:
        rows = rows.where(Puzzle.id.in_([number for number in selection.ids if number < 2**31][:MOST]))
    return min(db.session.scalar(rows) or 0, MOST)


def _query(selection: Selection) -> sa.Select[tuple[Puzzle]]:
    wanted = [Puzzle.status.in_(CURATED)]
    for column, value in (
        (Puzzle.status, selection.status),
        (Puzzle.level, selection.level),
        (Puzzle.hardest, selection.hardest),
        (Puzzle.order_id, selection.order),
    ):
        if value is not None:
            wanted.append(column == value)
    for scale, low, high in (
        (Puzzle.explainer, selection.er_from, selection.er_to),
        (Puzzle.expected_seconds / 60, selection.minutes_from, selection.minutes_to),
    ):
        if low is not None:
            wanted.append(scale >= low)
        if high is not None:
            wanted.append(scale <= high)
    if selection.batch is not None:
        of_batch = ImportLine.import_id == selection.batch
        wanted.append(Puzzle.id.in_(sa.select(ImportLine.puzzle_id).where(of_batch)))
    return sa.select(Puzzle).where(*wanted)


def text(puzzles: Iterator[Puzzle], kind: str) -> Iterator[str]:
    """These puzzles in a format of OFFERED, piece by piece."""
    if kind == "opensudoku":
        yield opensudoku.write_all(map(_entry, puzzles)) + "\n"
        return
    form = FORMATS[kind]
    if form.header:
        yield f"{form.header}\n"
    for puzzle in puzzles:
        yield f"{form.write(_entry(puzzle))}\n"


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
