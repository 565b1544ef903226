"""What curators have planned for days to come: minutes by weekday and level, themes, notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import sqlalchemy as sa

import engine
from webapp.models import DayNote, Puzzle, Theme, WeekdayTarget
from webapp.process.database import db

TOLERANCE = 0.25  # of the planned minutes; what deviates more is no fit, and marked where it stands


@dataclass(frozen=True, slots=True)
class Wish:
    """What is planned for one level of one day; None where nothing is."""

    minutes: float | None = None
    technique: str | None = None

    def deviation(self, puzzle: Puzzle) -> float | None:
        """How much longer a puzzle takes than planned, as a share; None without a plan or a rating."""
        if self.minutes is None or puzzle.expected_seconds is None:
            return None
        return puzzle.expected_seconds / (60 * self.minutes) - 1

    def met_by(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle keeps to the plan."""
        deviation = self.deviation(puzzle)
        on_theme = self.technique is None or puzzle.hardest == self.technique
        return on_theme and (deviation is None or abs(deviation) <= TOLERANCE)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything planned for some days."""

    minutes: dict[tuple[int, int], float]  # by weekday from Monday, 0, and level
    themes: Sequence[Theme]
    notes: dict[date, str]

    @classmethod
    def between(cls, first: date, last: date) -> Plan:
        """Read what is planned from one day to another."""
        targets = db.session.scalars(sa.select(WeekdayTarget)).all()
        themes = sa.select(Theme).where(Theme.first_day <= last, Theme.last_day >= first)
        notes = db.session.scalars(sa.select(DayNote).where(DayNote.day.between(first, last)))
        return cls(
            {(row.weekday, row.level): row.minutes for row in targets},
            db.session.scalars(themes.order_by(Theme.first_day, Theme.id)).all(),
            {note.day: note.text for note in notes},
        )

    def themes_of(self, day: date) -> list[Theme]:
        """Return the themes that a day is part of."""
        return [theme for theme in self.themes if theme.first_day <= day <= theme.last_day]

    def wish(self, day: date, level: int) -> Wish:
        """Return what is planned for one level of a day of this plan."""
        techniques = (theme.technique for theme in self.themes_of(day))
        technique = next((key for key in techniques if level_of(key) == level), None)
        return Wish(self.minutes.get((day.weekday(), level)), technique)


def level_of(technique: str) -> int:
    """Return the level of puzzles whose hardest technique this is."""
    return engine.TECHNIQUES[technique].tier


def wish(day: date, level: int) -> Wish:
    """Return what is planned for one level of a day."""
    return Plan.between(day, day).wish(day, level)
