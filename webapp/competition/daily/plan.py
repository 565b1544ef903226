"""Curators' plans for future days: minutes by weekday and level, themes, notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa

import engine
from engine.generation import Symmetry
from webapp.bank import traits
from webapp.models import DayNote, Puzzle, Theme, WeekdayLook, WeekdayTarget
from webapp.models.puzzle import GIVEN_COUNT
from webapp.process.database import db

TOLERANCE = 0.25  # share of the planned minutes; puzzles that deviate more are marked as unfit


@dataclass(frozen=True, slots=True)
class Wish:
    """The plan for one level of one day; all None if there is none."""

    minutes: float | None = None
    technique: str | None = None  # the hardest
    look: WeekdayLook | None = None

    def deviation(self, puzzle: Puzzle) -> float | None:
        """How much longer a puzzle takes than planned, as a share; None without a plan or a rating."""
        if self.minutes is None or puzzle.expected_seconds is None:
            return None
        return puzzle.expected_seconds / (60 * self.minutes) - 1

    def met_by(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle fits the plan."""
        deviation = self.deviation(puzzle)
        on_theme = self.technique is None or puzzle.hardest == self.technique
        in_time = deviation is None or abs(deviation) <= TOLERANCE
        return on_theme and in_time and (self.look is None or _looks_like(self.look, puzzle))

    def conditions(self) -> list[sa.ColumnElement[bool]]:
        """Return the plan as conditions on puzzles, except for the time."""
        found = [] if self.technique is None else [Puzzle.hardest == self.technique]
        look = self.look
        if look is None:
            return found
        for column, low, high in (
            (Puzzle.explainer, look.er_from, look.er_to),
            (sa.literal_column(GIVEN_COUNT, sa.Integer), look.givens_from, look.givens_to),
        ):
            found += [] if low is None else [column >= low]
            found += [] if high is None else [column <= high]
        if look.symmetry is not None:
            found.append(traits.having_too(traits.SYMMETRY + look.symmetry))
        return found


def _looks_like(look: WeekdayLook, puzzle: Puzzle) -> bool:
    givens = 81 - puzzle.givens.count(".")
    return (
        _within(puzzle.explainer, look.er_from, look.er_to)
        and _within(givens, look.givens_from, look.givens_to)
        and (look.symmetry is None or _is_symmetric(puzzle.givens, look.symmetry))
    )


def _within(value: float | None, low: float | None, high: float | None) -> bool:
    if low is None and high is None:
        return True
    return value is not None and (low is None or low <= value) and (high is None or value <= high)


def _is_symmetric(givens: str, symmetry: str) -> bool:
    return Symmetry(symmetry).holds({cell for cell in range(81) if givens[cell] != "."})


@dataclass(frozen=True, slots=True)
class Plan:
    """The plans for a range of days."""

    minutes: dict[tuple[int, int], float]  # by weekday from Monday, 0, and level
    looks: dict[tuple[int, int], WeekdayLook]  # likewise
    themes: Sequence[Theme]
    notes: dict[date, str]

    @classmethod
    def between(cls, first: date, last: date) -> Plan:
        """Read the plans for a range of days."""
        targets = db.session.scalars(sa.select(WeekdayTarget)).all()
        themes = sa.select(Theme).where(Theme.first_day <= last, Theme.last_day >= first)
        notes = db.session.scalars(sa.select(DayNote).where(DayNote.day.between(first, last)))
        return cls(
            {(row.weekday, row.level): row.minutes for row in targets},
            {(row.weekday, row.level): row for row in db.session.scalars(sa.select(WeekdayLook))},
            db.session.scalars(themes.order_by(Theme.first_day, Theme.id)).all(),
            {note.day: note.text for note in notes},
        )

    def themes_of(self, day: date) -> list[Theme]:
        """Return the themes that include a day."""
        return [theme for theme in self.themes if theme.first_day <= day <= theme.last_day]

    def wish(self, day: date, level: int) -> Wish:
        """Return the plan for one level of a day in this range."""
        where = day.weekday(), level
        look = self.looks.get(where)
        techniques = [theme.technique for theme in self.themes_of(day)]
        techniques += [look.hardest] if look is not None and look.hardest is not None else []
        technique = next((key for key in techniques if level_of(key) == level), None)
        return Wish(self.minutes.get(where), technique, look)


def level_of(technique: str) -> int:
    """Return the level of puzzles whose hardest technique this is."""
    return engine.TECHNIQUES[technique].tier


def wish(day: date, level: int) -> Wish:
    """Return the plan for one level of a day."""
    return Plan.between(day, day).wish(day, level)
