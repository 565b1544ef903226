"""Rules about neighboring days: no solution twice a year, no technique too many days in a row."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa

import engine
from webapp.competition.daily import plan
from webapp.competition.daily.plan import Wish
from webapp.models import Daily, Puzzle
from webapp.models.puzzle import solution_class
from webapp.process.database import db

APART = timedelta(days=365)  # between two dailies of one class
RUNNING = 2  # days in a row that may have the same hardest technique


@dataclass(frozen=True, slots=True)
class Rules:
    """The constraints of neighboring days on one day and level."""

    classes: frozenset[int]  # of solutions: no solution repeats within a year
    hardest: frozenset[str]
    wish: Wish
    longest_easier: float  # longest expected seconds of the day's lower levels
    shortest_harder: float  # shortest expected seconds of its higher levels

    @classmethod
    def for_day(cls, day: date, level: int) -> Rules:
        near = (
            sa.select(
                *(Daily.date, Daily.level, Puzzle.givens, Puzzle.solution_class, Puzzle.hardest),
                Puzzle.expected_seconds,
            )
            .join(Daily.puzzle)
            .where(Daily.date.between(day - APART, day + APART))
        )
        rows = db.session.execute(near).all()
        hardest = {row.date: row.hardest for row in rows if row.level == level}
        lasts = {row.level: row.expected_seconds for row in rows if row.date == day and row.expected_seconds}
        planned = plan.wish(day, level)
        return cls(
            frozenset(map(_solution_class, rows)),
            frozenset(_repeated(hardest, day)) - {planned.technique},
            planned,
            max((seconds for other, seconds in lasts.items() if other < level), default=0.0),
            min((seconds for other, seconds in lasts.items() if other > level), default=math.inf),
        )

    def new_class(self, puzzle: Puzzle) -> bool:
        return _solution_class(puzzle) not in self.classes

    def fit(self, puzzle: Puzzle) -> bool:
        return puzzle.hardest not in self.hardest and self.new_class(puzzle)

    def out_of_step(self, puzzle: Puzzle) -> bool:
        """Whether the puzzle would make an easier level of the day slower than a harder one."""
        seconds = puzzle.expected_seconds
        return seconds is None or not self.longest_easier < seconds < self.shortest_harder


def clash(puzzle: Puzzle, day: date, besides: Collection[int] = ()) -> Daily | None:
    """Return the first daily within a year of `day` with an equivalent solution, except these ids."""
    its_class = _solution_class(puzzle)
    near = sa.select(Daily).join(Daily.puzzle).options(sa.orm.contains_eager(Daily.puzzle))
    perhaps = near.where(
        Daily.date.between(day - APART, day + APART),
        Daily.id.not_in(besides),
        sa.or_(Puzzle.solution_class == its_class, Puzzle.solution_class.is_(None)),
    )
    for other in db.session.scalars(perhaps.order_by(Daily.date)):
        if _solution_class(other.puzzle) == its_class:
            return other
    return None


def repeated(day: date, level: int) -> set[str]:
    """Return the techniques that would be the hardest on more than RUNNING days in a row on `day`.

    A theme's technique is exempt.
    """
    around = (
        sa.select(Daily.date, Puzzle.hardest)
        .join(Daily.puzzle)
        .where(
            Daily.level == level,
            Daily.date.between(day - timedelta(days=RUNNING), day + timedelta(days=RUNNING)),
        )
    )
    found = set(_repeated({row.date: row.hardest for row in db.session.execute(around)}, day))
    return found - {plan.wish(day, level).technique}


def _repeated(hardest: dict[date, Any], day: date) -> Iterable[str]:
    """Return the techniques that would be the hardest on more than RUNNING days in a row on `day`."""
    for before in range(RUNNING + 1):
        around = [day + timedelta(days=offset) for offset in range(-before, RUNNING + 1 - before) if offset]
        found = {hardest.get(other) for other in around}
        if len(found) == 1 and (technique := found.pop()) is not None:
            yield technique


def class_of(givens: str) -> str:
    """Return the canonical form of a puzzle, shared by all equivalent ones."""
    return str(engine.canonical_form(engine.parse(givens)))


def _solution_class(row: Any) -> int:
    """Return the class of a puzzle's solution; row: anything with `solution_class` and `givens`."""
    its_class: int | None = row.solution_class
    return solution_class(class_of(row.givens)) if its_class is None else its_class
