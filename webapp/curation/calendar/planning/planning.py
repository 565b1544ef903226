"""Plan dailies: minutes by weekday, themes, notes, and the gaps of a year. Owns its transactions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta

import sqlalchemy as sa

import engine
from engine.generation import Symmetry
from webapp.competition.daily import dailies
from webapp.competition.daily.plan import Plan, level_of
from webapp.curation.calendar.calendar import FURTHEST
from webapp.identity import audit, texts
from webapp.identity.players import Identity
from webapp.models import AuditEntry, Daily, DayNote, Theme, WeekdayLook, WeekdayTarget
from webapp.models.daily import FIRST_DAY
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

MOST_MINUTES = 600.0
LONGEST_THEME = timedelta(days=62)
LONGEST_TITLE, LONGEST_NOTE = 100, 200
EASIER = 0.9  # factor on the minutes when a level is made easier

Minutes = Mapping[tuple[int, int], float]  # by weekday and level


@dataclass(frozen=True, slots=True)
class YearDay:
    """A day of a year: how many of its levels are filled, and its plan."""

    day: date
    filled: int
    wanted: int
    near: bool  # so soon that a gap needs attention
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
    wanted = len(dailies.LEVELS)
    months: list[list[YearDay]] = [[] for _month in range(12)]
    for offset in range((last - first).days + 1):
        day = first + timedelta(days=offset)
        near = today < day <= today + dailies.AHEAD
        plans = plan.themes_of(day), plan.notes.get(day, "")
        months[day.month - 1].append(YearDay(day, filled.get(day, 0), wanted, near, *plans))
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
        if not (0 <= weekday <= 6 and level in dailies.LEVELS and 1 <= value <= MOST_MINUTES):
            raise BadInput(**{f"minutes-{weekday}-{level}": wrong})
    with write_tx():
        before = _by_slot(Plan.between(FIRST_DAY, FIRST_DAY).minutes)
        db.session.execute(sa.delete(WeekdayTarget))
        for (weekday, level), value in sorted(minutes.items()):
            db.session.add(WeekdayTarget(weekday=weekday, level=level, minutes=value))
        after = _by_slot(minutes)
        entry = audit.record(curator, "plan", ("weekday_target", "all"), at=now, before=before, after=after)
        db.session.flush()
        return entry.id


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a level's dailies on some weekdays, besides their time."""

    er_from: float | None = None
    er_to: float | None = None
    givens_from: int | None = None
    givens_to: int | None = None
    hardest: str | None = None
    symmetry: str | None = None


def set_look(curator: Identity, weekdays: Collection[int], level: int, look: Look, now: datetime) -> None:
    """Plan what a level's dailies are like on these weekdays; an empty look removes it. Raises BadInput."""
    if not weekdays or not all(0 <= weekday <= 6 for weekday in weekdays):
        raise BadInput(weekday=_("Choose a weekday."))
    if level not in dailies.LEVELS:
        raise BadInput(level=_("Choose a level."))
    if look.hardest is not None and (
        look.hardest not in engine.TECHNIQUES or level_of(look.hardest) != level
    ):
        raise BadInput(hardest=_("Choose a technique of this level."))
    if look.symmetry is not None and look.symmetry not in [symmetry.value for symmetry in Symmetry]:
        raise BadInput(symmetry=_("Choose a symmetry."))
    ends = {"er": (look.er_from, look.er_to), "givens": (look.givens_from, look.givens_to)}
    for name, (low, high) in ends.items():
        if low is not None and high is not None and low > high:
            raise BadInput(**{name: _("The first number is larger than the second.")})
    row = asdict(look)
    with write_tx():
        for weekday in sorted(set(weekdays)):
            before = db.session.get(WeekdayLook, (weekday, level))
            old = None if before is None else {name: getattr(before, name) for name in row}
            new = row if look != Look() else None
            if new == old:
                continue
            if new is not None:
                db.session.merge(WeekdayLook(weekday=weekday, level=level, **new))
            else:
                db.session.delete(before)
            audit.record(
                curator, "plan", ("weekday_look", f"{weekday}-{level}"), at=now, before=old, after=new
            )


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


def ease(curator: Identity, level: int, median: Mapping[int, float], now: datetime) -> int:
    """Multiply the planned minutes of a level's dailies by EASIER; unplanned ones start from `median`.

    median: the expected minutes of the level's past dailies, by weekday. Returns the entry of the log.
    """
    planned = dict(Plan.between(FIRST_DAY, FIRST_DAY).minutes)
    for weekday in range(7):
        minutes = planned.get((weekday, level), median.get(weekday))
        if minutes is not None:
            planned[weekday, level] = round(max(1.0, min(MOST_MINUTES, EASIER * minutes)), 1)
    return set_minutes(curator, planned, now)


def _by_slot(minutes: Minutes) -> dict[str, float]:
    return {f"{weekday}-{level}": value for (weekday, level), value in sorted(minutes.items())}


def add_theme(curator: Identity, first: date, last: date, technique: str, title: str, now: datetime) -> None:
    """Plan days with one hardest technique. Raises BadInput naming the field."""
    title = texts.checked("title", title)
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
        audit.record(curator, "plan", ("theme", theme.id), at=now, after=after)


def remove_theme(curator: Identity, theme_id: int, now: datetime) -> None:
    """Remove a theme; dailies chosen for it stay. Raises NotFound."""
    with write_tx():
        theme = db.session.get(Theme, theme_id)
        if theme is None:
            raise NotFound(_("We couldn’t find that theme."))
        before = {"title": theme.title, "technique": theme.technique}
        db.session.delete(theme)
        audit.record(curator, "remove", ("theme", theme_id), at=now, before=before)


def note(curator: Identity, day: date, text: str, now: datetime) -> None:
    """Write a note on a day, or remove it with an empty text. Raises BadInput."""
    text = texts.checked("note", text, LONGEST_NOTE)
    with write_tx():
        before = db.session.scalar(sa.select(DayNote.text).where(DayNote.day == day))
        rows_changed(sa.delete(DayNote).where(DayNote.day == day))
        if text:
            db.session.add(DayNote(day=day, text=text))
        old, new = ({"text": each} if each else None for each in (before, text))
        audit.record(curator, "note", ("day", day.isoformat()), at=now, before=old, after=new)
