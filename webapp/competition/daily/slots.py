"""A slot of the schedule, a level of a day: what a curator saw there, and what may be put into it.

Released days, including today, can't change. If what a curator saw has changed, nothing is done.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

import sqlalchemy as sa

import engine
from webapp.bank import bank
from webapp.competition.daily import choosing
from webapp.models import Daily, Puzzle, Status
from webapp.models.daily import FIRST_DAY, LEVELS, today
from webapp.process.database import db, hold_lock, rows_changed
from webapp.process.errors import BadInput, Changed
from webapp.process.words import format_date
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name

FURTHEST: Final = timedelta(days=366)  # last day that can be scheduled, after today
SCHEDULING: Final = 2026_0101  # PostgreSQL advisory lock for changes to the schedule


class Refused(BadInput):
    """A rule forbids a change; `clash` is the day and level of the conflicting daily, if any."""

    def __init__(self, message: str, clash: Daily | None = None) -> None:
        super().__init__(puzzle=message)
        self.clash = None if clash is None else (clash.date, clash.level)


@dataclass(frozen=True, slots=True)
class Seen:
    """A level of a day with the puzzle that a curator saw there, or none."""

    day: date
    level: int
    puzzle: int | None


def lock() -> None:
    """Inside `write_tx()`: lock the schedule until this transaction ends.

    Without it, two processes could schedule equivalent puzzles on two days. SQLite has a single writer.
    """
    hold_lock(SCHEDULING)


def refuse_released(day: date, level: int, now: datetime) -> None:
    """Raise BadInput if the calendar has no such day or level, or if the day is released."""
    latest = today(now) + FURTHEST
    if not FIRST_DAY <= day <= latest:
        raise BadInput(
            date=_("date: expected one from %(first)s to %(last)s", first=FIRST_DAY, last=latest.isoformat())
        )
    if level not in LEVELS:
        names = ", ".join(map(str, LEVELS))
        message = _("level: expected one of %(levels)s, found %(found)s", levels=names, found=level)
        raise BadInput(level=message)
    if day <= today(now):
        message = _("The dailies for %(day)s are already released. They can’t be changed.", day=in_words(day))
        raise Refused(message)


def in_words(day: date) -> str:
    """Format a day for people."""
    return format_date(day, "EEE, MMMM d")


def as_seen(seen: Seen) -> Daily | None:
    """Return the daily of a slot. Raises Changed if it isn't what the curator saw."""
    query = sa.select(Daily).where(Daily.date == seen.day, Daily.level == seen.level)
    daily = db.session.scalar(query.with_for_update())
    if (None if daily is None else daily.puzzle_id) == seen.puzzle:
        return daily
    where = {"day": in_words(seen.day), "level": level_name(seen.level)}
    if daily is None:
        message = _("%(day)s, %(level)s changed while you were looking. It’s now empty.", **where)
    else:
        message = _(
            "%(day)s, %(level)s changed while you were looking. It’s now #%(puzzle)s.",
            puzzle=daily.puzzle_id,
            **where,
        )
    raise Changed(message, f"{seen.day}/{seen.level}")


def free(puzzle_id: int, level: int | None = None, version: int | None = None) -> Puzzle:
    """Return a puzzle that can become a daily, of this level if given. Raises Refused, Changed."""
    query = sa.select(Puzzle).where(Puzzle.id == puzzle_id, Puzzle.status != Status.ENTERED)
    puzzle, number = db.session.scalar(query), {"number": puzzle_id}
    if puzzle is None:
        raise Refused(_("There’s no puzzle #%(number)s.", **number))
    if puzzle.status == Status.DAILY:
        daily = db.session.scalars(sa.select(Daily).where(Daily.puzzle_id == puzzle.id)).one()
        raise Refused(_("#%(number)s is already a daily.", **number), daily)
    if version not in (None, puzzle.version):
        raise _just_changed(puzzle)
    if puzzle.status != Status.APPROVED:
        raise Refused(_("#%(number)s isn’t approved yet.", **number))
    if not bank.confirmed(puzzle):
        message = _("#%(number)s isn’t rated yet. Schedule it once its level is certain.", **number)
        raise Refused(message)
    if puzzle.shown_at is not None or puzzle.first_started_at is not None:
        raise Refused(_("Players have already seen #%(number)s, so it can’t be a daily.", **number))
    if level not in (None, puzzle.level):
        raise Refused(
            _(
                "#%(number)s is %(its)s, but this slot is for %(level)s.",
                its=level_name(puzzle.level),
                level=level_name(level or puzzle.level),
                **number,
            )
        )
    return puzzle


def guard(puzzle: Puzzle, day: date) -> None:
    """Raise Refused if a daily within a year has a solution equivalent to that of a puzzle on this day."""
    its_class = choosing.class_of(puzzle)
    perhaps = (
        sa.select(Daily)
        .join(Daily.puzzle)
        .options(sa.orm.contains_eager(Daily.puzzle))
        .where(
            Daily.date.between(day - choosing.APART, day + choosing.APART),
            sa.or_(Daily.date != day, Daily.level != puzzle.level),
            sa.or_(Puzzle.solution_class == its_class, Puzzle.solution_class.is_(None)),
        )
        .order_by(Daily.date)
    )
    found = db.session.scalars(perhaps)
    other = next((each for each in found if choosing.class_of(each.puzzle) == its_class), None)
    if other is None:
        return
    both = {"number": puzzle.id, "other": other.puzzle_id, "days": choosing.APART.days}
    forms = {
        each.canonical or engine.canonical_form(engine.parse(each.givens)) for each in (puzzle, other.puzzle)
    }
    if len(set(map(str, forms))) == 1:
        words = _(
            "#%(number)s is equivalent to #%(other)s. Equivalent dailies must be %(days)s days apart.",
            **both,
        )
    else:
        words = _(
            "#%(number)s has the same solution as #%(other)s. Such dailies must be %(days)s days apart.",
            **both,
        )
    raise Refused(words, other)


def set_status(puzzle: Puzzle, status: Status) -> None:
    """Change the status of a puzzle if it is still as it was read, and a free one unseen. Raises Changed."""
    as_read = sa.update(Puzzle).where(
        Puzzle.id == puzzle.id, Puzzle.version == puzzle.version, Puzzle.status == puzzle.status
    )
    if puzzle.status == Status.APPROVED:
        as_read = as_read.where(Puzzle.shown_at.is_(None), Puzzle.first_started_at.is_(None))
    changed = rows_changed(
        as_read.values(status=status, version=Puzzle.version + 1).execution_options(synchronize_session=False)
    )
    if changed != 1:
        raise _just_changed(puzzle)
    db.session.refresh(puzzle)


def _just_changed(puzzle: Puzzle) -> Changed:
    message = _("#%(number)s changed while you were looking. Take another look.", number=puzzle.id)
    return Changed(message, puzzle.id)
