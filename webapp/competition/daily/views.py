"""Views for the pages of the dailies: plain values made from the services' objects, without decisions."""

from __future__ import annotations

from calendar import Calendar
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from webapp.competition.daily.dailies import DailyEntry, Day, opening, today
from webapp.competition.daily.streaks import Streaks
from webapp.models import Daily, Standing
from webapp.models.daily import WINDOW, number_of
from webapp.process.words import format_date, ngettext
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name
from webapp.web.i18n.lists import listed


def daily_title(daily: Daily) -> str:
    """Return the title of a daily."""
    return _("%(day)s, %(level)s", day=day_title(daily.date), level=level_name(daily.level))


def day_title(day: date) -> str:
    """Return the title of a day: `Daily 60`, or its date if it has no number."""
    number = number_of(day)
    return _("Daily %(number)s", number=number) if number > 0 else format_date(day, "long")


def opens_with(levels: Sequence[int]) -> str:
    """Say which levels a day has, and for how long they count."""
    hours = WINDOW // timedelta(hours=1)
    return _(
        "%(levels)s. Ranked for %(hours)s hours.", levels=listed(list(map(level_name, levels))), hours=hours
    )


class DailyView:
    """A daily as shown on a card or in the archive."""

    def __init__(self, entry: DailyEntry) -> None:
        shown = entry.shown
        self.date = entry.daily.date
        self.number = entry.daily.number
        self.level = entry.daily.level
        self.puzzle_id: int | None = entry.daily.puzzle_id  # none until somebody starts an archived one
        self.expected_seconds = entry.daily.puzzle.expected_seconds if self.puzzle_id else None
        self.backfilled = entry.daily.id is None or entry.daily.backfilled
        self.title = daily_title(entry.daily)
        self.opens_at = entry.daily.opens_at
        self.closes_at = entry.daily.closes_at
        self.open = entry.open
        self.state = entry.state
        self.on_time = entry.on_time
        self.unrankable = entry.unrankable
        self.attempt_id = shown.id if shown is not None else None
        self.elapsed_ms = shown.elapsed_ms if shown is not None else None
        self.ranked = shown is not None and shown.ranked
        self.assisted = shown is not None and shown.assisted
        self.standing = shown.standing if shown is not None else None

    @property
    def level_name(self) -> str:
        return level_name(self.level)

    @property
    def remark(self) -> str:
        """Return a remark to show with a solve's time, or an empty string."""
        if self.standing == Standing.REVIEW:
            return _("under review")
        if self.standing == Standing.REMOVED:
            return _("removed")
        if self.standing == Standing.PAPER:
            return _("solved on paper")
        if self.assisted:
            return _("help used")
        if self.state != "solved":
            return _("ranked") if self.ranked else ""
        if self.ranked and self.on_time:
            return _("ranked")
        return _("practice")


class DayView:
    """A day's cards and their surroundings."""

    def __init__(self, day: Day, at: datetime) -> None:
        self.date = day.date
        self.title = day_title(day.date)
        self.is_today = day.date == today(at)
        self.dailies = [DailyView(entry) for entry in day.entries]
        self.open = any(entry.open for entry in day.entries)
        self.backfilled = all(daily.backfilled for daily in self.dailies)
        self.closes_at = day.entries[0].daily.closes_at if day.entries else None
        self.next_opens_at = opening(today(at) + timedelta(days=1))
        self.next_in_ms = max(0, int((self.next_opens_at - at).total_seconds() * 1000))


@dataclass(frozen=True, slots=True)
class WeekDay:
    """One day of this week: `solved`, `frozen`, `open` (it can still be solved), `missed` or `ahead`."""

    date: date
    state: str
    is_today: bool


class StreakView:
    """A player's streak: its figures, this week from Monday to Sunday, and what to do about it."""

    def __init__(self, streaks: Streaks, at: datetime) -> None:
        self.current = streaks.current
        self.longest = streaks.longest
        self.freezes = streaks.freezes
        self.days = streaks.days
        self.frozen = streaks.frozen
        self._today = today(at)
        self._open = frozenset(streaks.open)
        monday = self._today - timedelta(days=self._today.weekday())
        days = (monday + timedelta(days=number) for number in range(7))
        self.week = [WeekDay(day, self._state(day), day == self._today) for day in days]

    def _state(self, day: date) -> str:
        if day in self.days:
            return "solved"
        if day in self.frozen:
            return "frozen"
        if day > self._today:
            return "ahead"
        return "open" if day == self._today or day in self._open else "missed"

    @property
    def title(self) -> str:
        """`5-day streak`, or an invitation to start one."""
        if not self.current:
            return _("No streak yet")
        return ngettext("%(num)s-day streak", "%(num)s-day streak", self.current)

    @property
    def advice(self) -> str:
        """What to do to keep it, in one sentence."""
        if not self.current:
            return _("Solve a daily to start one.")
        if self._today in self.days:
            return _("See you tomorrow.")
        if self._today - timedelta(days=1) in self._open:
            return _("Yesterday’s dailies still count until midnight UTC.")
        return _("Play one today to keep it.")

    @property
    def freezes_left(self) -> str:
        """`1 freeze left`; empty without any."""
        return ngettext("%(num)s freeze left", "%(num)s freezes left", self.freezes) if self.freezes else ""


@dataclass(frozen=True, slots=True)
class MonthCell:
    """A day of the grid; without a daily, one that is yet to come or has none at this level."""

    date: date
    daily: DailyView | None


@dataclass(frozen=True, slots=True)
class MonthLevel:
    """A level to look at, and how many days of the month are solved at it."""

    level: int
    solved: int

    @property
    def name(self) -> str:
        return level_name(self.level)


class MonthView:
    """A month of the archive at one level as a grid: a row per week, Monday to Sunday."""

    def __init__(
        self, month: date, days: list[Day], level: int, *, earlier: date | None, later: date | None
    ) -> None:
        self.month = month
        self.earlier = earlier
        self.later = later
        entries = [entry for day in days for entry in day.entries]
        solved = Counter(entry.daily.level for entry in entries if entry.state == "solved")
        self.levels = [
            MonthLevel(each, solved[each])
            for each in sorted({level, *(entry.daily.level for entry in entries)})
        ]
        self.level = level
        of_level = {entry.daily.date: DailyView(entry) for entry in entries if entry.daily.level == level}
        self.weeks = [
            [MonthCell(day, of_level.get(day)) if day.month == month.month else None for day in week]
            for week in Calendar().monthdatescalendar(month.year, month.month)
        ]

    @property
    def level_name(self) -> str:
        return level_name(self.level)

    @property
    def weekdays(self) -> list[date]:
        """A Monday to a Sunday, for the heads of the columns."""
        return [date(2026, 6, day) for day in range(1, 8)]
