"""A month of the calendar: its slots and its gaps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from webapp.competition.daily import dailies, schedule
from webapp.competition.daily.schedule import AHEAD, FURTHEST
from webapp.models import Daily
from webapp.models.daily import FIRST_DAY
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

OFFERED = 60  # puzzles to choose from
SHOWN_AHEAD = timedelta(days=13)  # of today, into the next month if need be


@dataclass(frozen=True, slots=True)
class Slot:
    """One level of one day."""

    day: date
    level: int
    daily: Daily | None
    released: bool
    near: bool = True  # so soon that a gap needs attention

    @property
    def gap(self) -> bool:
        """Whether the slot is empty and can still be filled."""
        return self.daily is None and not self.released


@dataclass(frozen=True, slots=True)
class Month:
    """A month of the calendar: a row per day, a slot per level; this month reaches two weeks ahead."""

    first: date
    levels: tuple[int, ...]
    rows: list[list[Slot]]
    unfilled: int  # gaps of the coming days, in any month
    moved: int  # dailies of the month whose rating now gives another level
    earlier: date | None
    later: date | None


def month(first: date, now: datetime) -> Month:
    """Return the month that starts on `first`. Raises NotFound if it is outside the calendar."""
    today = dailies.today(now)
    earliest, latest = FIRST_DAY.replace(day=1), (today + FURTHEST).replace(day=1)
    if not earliest <= first <= latest:
        raise NotFound(_("The calendar doesn’t cover that month."))
    after = dailies.next_month(first)
    end = after if not first <= today < after else max(after, today + SHOWN_AHEAD + timedelta(days=1))
    found = schedule.between(first, end - timedelta(days=1))
    levels = tuple(sorted({*dailies.LEVELS, *(level for _day, level in found)}))
    begin = max(first, FIRST_DAY)
    days = [begin + timedelta(days=number) for number in range((end - begin).days)]
    return Month(
        first,
        levels,
        [[_slot(day, level, found.get((day, level)), today) for level in levels] for day in days],
        len(schedule.gaps(today + timedelta(days=1), today + AHEAD, now)),
        sum(day > today and daily.puzzle.moved_to is not None for (day, _level), daily in found.items()),
        (first - timedelta(days=1)).replace(day=1) if first > earliest else None,
        after if first < latest else None,
    )


def slot(day: date, level: int, now: datetime) -> Slot:
    """Return one level of one day. Raises BadInput if the calendar has no such day or level."""
    schedule.refuse_unknown(day, level, now)
    return _slot(day, level, schedule.between(day, day).get((day, level)), dailies.today(now))


def _slot(day: date, level: int, daily: Daily | None, today: date) -> Slot:
    return Slot(day, level, daily, day <= today, day <= today + AHEAD)


def following_gap(day: date, level: int, now: datetime) -> date | None:
    """Return the next day after `day` with a gap at this level, within the scheduled days or the month."""
    last = max(dailies.next_month(day.replace(day=1)), dailies.today(now) + AHEAD)
    coming = schedule.gaps(day + timedelta(days=1), last, now)
    return next((other for other, its_level in coming if its_level == level), None)
