"""Planning dailies: minutes by weekday, themes, notes, and how full a year is. Owns its transactions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import sqlalchemy as sa

import engine
from webapp.competition.daily import dailies
from webapp.competition.daily.plan import Plan
from webapp.curation.calendar.calendar import FURTHEST
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import AuditEntry, Daily, DayNote, Theme, WeekdayTarget
from webapp.models.daily import FIRST_DAY
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

MOST_MINUTES = 600.0
LONGEST_THEME = timedelta(days=62)
LONGEST_TITLE, LONGEST_NOTE = 100, 200
EASIER = 0.9  # what is left of the minutes once a level is made easier

Minutes = Mapping[tuple[int, int], float]  # by weekday and level


@dataclass(frozen=True, slots=True)
class YearDay:
    """A day of a year: how many of its levels are filled, and what is planned."""

    day: date
    filled: int
    wanted: int
    near: bool  # so near that a gap needs a hand
    themes: list[Theme]
    note: str


@dataclass(frozen=True, slots=True)
class Year:
    """A year by its months."""

    number: int
    months: list[list[YearDay]]
    plan: Plan
    earlier: int | None
    later: int | None


def year(number: int, now: datetime) -> Year:
    """Return a year of the calendar. Raises NotFound for any other."""
    today = dailies.today(now)
    earliest, latest = FIRST_DAY.year, (today + FURTHEST).year
    if not earliest <= number <= latest:
        raise NotFound(_("The calendar doesn’t cover that year."))
    first, last = date(number, 1, 1), date(number, 12, 31)
    counted = sa.select(Daily.date, sa.func.count().label("filled")).where(Daily.date.between(first, last))
    filled = {row.date: row.filled for row in db.session.execute(counted.group_by(Daily.date))}
    plan = Plan.between(first, last)
    wanted = len(dailies.levels())
    months: list[list[YearDay]] = [[] for _month in range(12)]
    for offset in range((last - first).days + 1):
        day = first + timedelta(days=offset)
        near = today < day <= today + dailies.AHEAD
        told = plan.themes_of(day), plan.notes.get(day, "")
        months[day.month - 1].append(YearDay(day, filled.get(day, 0), wanted, near, *told))
    return Year(
        number,
        months,
        plan,
        number - 1 if number > earliest else None,
        number + 1 if number < latest else None,
    )


def set_minutes(curator: Identity, minutes: Minutes, now: datetime) -> int:
    """Replace the planned minutes of all weekdays. Returns the entry of the log; raises BadInput."""
    wrong = _("Enter 1 to %(most)s minutes, or leave it empty.", most=int(MOST_MINUTES))
    for (weekday, level), value in minutes.items():
        if not (0 <= weekday <= 6 and level in dailies.levels() and 1 <= value <= MOST_MINUTES):
            raise BadInput(**{f"minutes-{weekday}-{level}": wrong})
    with write_tx():
        before = _told(Plan.between(FIRST_DAY, FIRST_DAY).minutes)
        db.session.execute(sa.delete(WeekdayTarget))
        for (weekday, level), value in sorted(minutes.items()):
            db.session.add(WeekdayTarget(weekday=weekday, level=level, minutes=value))
        after = _told(minutes)
        entry = audit.record(curator, "plan", "weekday_target", "all", at=now, before=before, after=after)
        db.session.flush()
        return entry.id


def changed(entry_id: int) -> list[tuple[int, int, float | None, float | None]]:
    """Return what an entry of the log changed: weekday, level, minutes before and after."""
    entry = db.session.get(AuditEntry, entry_id)
    if entry is None or entry.subject != "weekday_target":
        return []
    found = []
    for change in audit.changes(entry):
        weekday, _dash, level = change.field.partition("-")
        found.append((int(weekday), int(level), change.before, change.after))
    return sorted(found)


def ease(curator: Identity, level: int, share: float, median: Mapping[int, float], now: datetime) -> int:
    """Plan a level's dailies so many times as long as now; where nothing is planned, as they were.

    median: the expected minutes of the level's past dailies, by weekday. Returns the entry of the log.
    """
    planned = dict(Plan.between(FIRST_DAY, FIRST_DAY).minutes)
    for weekday in range(7):
        minutes = planned.get((weekday, level), median.get(weekday))
        if minutes is not None:
            planned[weekday, level] = round(max(1.0, min(MOST_MINUTES, share * minutes)), 1)
    return set_minutes(curator, planned, now)


def _told(minutes: Minutes) -> dict[str, float]:
    return {f"{weekday}-{level}": value for (weekday, level), value in sorted(minutes.items())}


def add_theme(curator: Identity, first: date, last: date, technique: str, title: str, now: datetime) -> None:
    """Plan days with one hardest technique. Raises BadInput naming the field."""
    title = " ".join(title.split())
    if technique not in engine.TECHNIQUES:
        raise BadInput(technique=_("Choose a technique."))
    if not first <= last <= first + LONGEST_THEME:
        raise BadInput(
            last=_("Choose a last day at most %(days)s days after the first.", days=LONGEST_THEME.days)
        )
    if not title or len(title) > LONGEST_TITLE:
        raise BadInput(title=_("Enter a title of up to %(most)s characters.", most=LONGEST_TITLE))
    theme = Theme(first_day=first, last_day=last, technique=technique, title=title)
    with write_tx():
        db.session.add(theme)
        db.session.flush()
        after = {"title": title, "technique": technique, "first": str(first), "last": str(last)}
        audit.record(curator, "plan", "theme", theme.id, at=now, after=after)


def remove_theme(curator: Identity, theme_id: int, now: datetime) -> None:
    """Remove a theme; dailies chosen for it stay. Raises NotFound."""
    with write_tx():
        theme = db.session.get(Theme, theme_id)
        if theme is None:
            raise NotFound(_("We couldn’t find that theme."))
        before = {"title": theme.title, "technique": theme.technique}
        db.session.delete(theme)
        audit.record(curator, "remove", "theme", theme_id, at=now, before=before)


def note(curator: Identity, day: date, text: str, now: datetime) -> None:
    """Write a note on a day, or remove it with an empty text. Raises BadInput."""
    text = " ".join(text.split())
    if len(text) > LONGEST_NOTE:
        raise BadInput(note=_("Enter up to %(most)s characters.", most=LONGEST_NOTE))
    with write_tx():
        before = db.session.scalar(sa.select(DayNote.text).where(DayNote.day == day))
        rows_changed(sa.delete(DayNote).where(DayNote.day == day))
        if text:
            db.session.add(DayNote(day=day, text=text))
        old, new = ({"text": each} if each else None for each in (before, text))
        audit.record(curator, "note", "day", day.isoformat(), at=now, before=old, after=new)
