"""Choose puzzles for a day: from the bank, or made on the spot.

Two dailies within a year never have equivalent solutions. A choice without a curator also keeps a technique
from being the hardest on more than RUNNING days in a row, and prefers puzzles that are typical of their
level and last longer than the easier ones of the day.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa

import engine
from engine import warm
from webapp.bank import bank, offer
from webapp.models import Daily, Puzzle, Status
from webapp.models.puzzle import solution_class
from webapp.process.database import db, write_tx

APART: Final = timedelta(days=365)  # between two dailies of one class
RUNNING: Final = 2  # days in a row that may have the same hardest technique
LOOKED_AT: Final = 100  # puzzles of the bank considered for one gap
MADE: Final = 50  # puzzles made for one gap before rules of taste are relaxed
ATYPICAL, REPEATED = 2, 4  # faults of a puzzle


def can_be_daily() -> sa.ColumnElement[bool]:
    """Return the condition on puzzles that can become a daily: unseen, and of a certain level."""
    return sa.and_(
        Puzzle.status == Status.APPROVED,
        Puzzle.offered.is_(True),
        Puzzle.first_started_at.is_(None),
        Puzzle.shown_at.is_(None),
        bank.CONFIRMED,
    )


def stock() -> dict[int, int]:
    """Count the puzzles that can become a daily, by level."""
    counted = sa.select(Puzzle.level, sa.func.count().label("puzzles")).where(can_be_daily())
    rows = db.session.execute(counted.group_by(Puzzle.level))
    return dict.fromkeys(bank.LEVELS, 0) | {row.level: row.puzzles for row in rows}


class Neighbors:
    """The dailies around a day, and how well a puzzle fits between them at a level."""

    def __init__(self, day: date, level: int) -> None:
        near = (
            sa.select(
                *(Daily.date, Daily.level, Puzzle.givens, Puzzle.solution_class, Puzzle.hardest),
                Puzzle.expected_seconds,
            )
            .join(Daily.puzzle)
            .where(Daily.date.between(day - APART, day + APART))
        )
        rows = db.session.execute(near).all()
        lasts = {row.level: row.expected_seconds for row in rows if row.date == day and row.expected_seconds}
        self._classes = frozenset(map(class_of, rows))
        self._repeated = frozenset(
            _repeated({row.date: row.hardest for row in rows if row.level == level}, day)
        )
        self._longest_easier = max((lasts[other] for other in lasts if other < level), default=0.0)
        self._shortest_harder = min((lasts[other] for other in lasts if other > level), default=math.inf)

    def allow(self, puzzle: Puzzle) -> bool:
        """Whether no daily within a year has an equivalent solution."""
        return class_of(puzzle) not in self._classes

    def faults(self, puzzle: Puzzle) -> int:
        """Return how little a puzzle suits the day: from ATYPICAL or REPEATED on, others are tried first."""
        seconds = puzzle.expected_seconds
        out_of_step = seconds is None or not self._longest_easier < seconds < self._shortest_harder
        atypical = not offer.typical(puzzle.level, seconds, puzzle.hardest)
        return out_of_step + ATYPICAL * atypical + REPEATED * (puzzle.hardest in self._repeated)


def _repeated(hardest: dict[date, Any], day: date) -> Iterable[str]:
    """Return the techniques that would be the hardest on more than RUNNING days in a row on `day`."""
    for before in range(RUNNING + 1):
        around = [day + timedelta(days=offset) for offset in range(-before, RUNNING + 1 - before) if offset]
        found = {hardest.get(other) for other in around}
        if len(found) == 1 and (technique := found.pop()) is not None:
            yield technique


def class_of(row: Any) -> int:
    """Return the class of a puzzle's solution; row: anything with `solution_class` and `givens`."""
    its_class: int | None = row.solution_class
    if its_class is not None:
        return its_class
    return solution_class(str(engine.canonical_form(engine.parse(row.givens))))


def candidates(day: date, level: int, most: int) -> list[Puzzle]:
    """Return puzzles of the bank that can become this daily, the most suitable first."""
    neighbors = Neighbors(day, level)
    fitting = sa.select(Puzzle).where(can_be_daily(), Puzzle.level == level).order_by(Puzzle.id)
    last = db.session.scalar(sa.select(sa.func.max(Puzzle.id))) or 0
    start = secrets.randbelow(last + 1)  # else every gap would be offered the oldest ones
    found: list[Puzzle] = []
    for part in (fitting.where(Puzzle.id >= start), fitting.where(Puzzle.id < start)):
        if len(found) < LOOKED_AT:
            found += db.session.scalars(part.limit(LOOKED_AT - len(found)))
    return sorted(filter(neighbors.allow, found), key=neighbors.faults)[:most]


def search(day: date, level: int, now: datetime, *, rated: bool) -> Iterator[Puzzle]:
    """Yield puzzles for a day, the best first: of the bank, made on the spot, then any without a clash.

    rated: whether ratings are available. Before that, puzzles that aren't in the bank are variations of the
    first stock, whose rating may turn out otherwise.
    """
    stored, made = candidates(day, level, LOOKED_AT), list[Puzzle]()
    neighbors = Neighbors(day, level)
    yield from (puzzle for puzzle in stored if neighbors.faults(puzzle) < ATYPICAL)
    for _try in range(MADE if rated else 0):
        puzzle = bank.generated(level, now)
        if puzzle.level == level and neighbors.allow(puzzle):
            if neighbors.faults(puzzle) < ATYPICAL:
                yield puzzle
            made.append(puzzle)
    rest = sorted([*stored, *made], key=neighbors.faults)
    yield from (puzzle for puzzle in rest if neighbors.faults(puzzle) < REPEATED)
    varied = filter(neighbors.allow, bank.vary_first_stock(level, now))
    yield from sorted(varied, key=lambda puzzle: neighbors.faults(puzzle) >= REPEATED)
    yield from rest


def replacement(day: date, level: int, now: datetime) -> Puzzle | None:
    """Return the best puzzle for a released slot; makes and stores one if the bank has none."""
    if found := candidates(day, level, 1):
        return found[0]
    made = next(search(day, level, now, rated=warm.ready()), None)
    if made is not None:
        with write_tx():
            db.session.add(made)
    return made
