"""Views for the pages of the dailies: plain values from the services' objects, without decisions."""

from __future__ import annotations

from calendar import Calendar
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise

from webapp.competition.daily.dailies import DailyEntry
from webapp.competition.daily.streaks import Streaks
from webapp.models import Daily, Standing
from webapp.models.daily import number_of, opening, today
from webapp.process.words import format_date, ngettext
from webapp.process.words import gettext as _
from webapp.web.i18n import clock_text, level_name, rounded_minutes


def daily_title(daily: Daily) -> str:
    """Return the title of a daily."""
    return _("%(day)s, %(level)s", day=day_title(daily.date), level=level_name(daily.level))


def day_title(day: date) -> str:
    """Return the title of a day: `Daily 60`, or its date if it has no number."""
    number = number_of(day)
    return _("Daily %(number)s", number=number) if number > 0 else format_date(day, "long")


APART = 2  # minutes between the expected times of a day, or none is shown


def tells_times(entries: Sequence[DailyEntry]) -> bool:
    """Whether the expected times of a day's dailies rise with their levels as they are printed."""
    seconds = [entry.daily.puzzle.expected_seconds if entry.daily.puzzle_id else None for entry in entries]
    minutes = [rounded_minutes(each) for each in seconds if each]
    rise = all(later - sooner >= APART for sooner, later in pairwise(minutes))
    return len(minutes) == len(entries) and rise


class DailyView:
    """A daily as shown on a card or among past dailies."""

    def __init__(self, entry: DailyEntry, *, timed: bool = False) -> None:
        """timed: whether its expected time is shown (`tells_times`)."""
        self._entry, self._shown = entry, (shown := entry.shown)
        self.date = entry.daily.date
        self.level = entry.daily.level
        self.puzzle_id: int | None = entry.daily.puzzle_id  # None until somebody starts a past one
        # For its picture alone, which shows no digit:
        self.givens = entry.daily.puzzle.givens if self.puzzle_id else "." * 81
        self.written = ("." if shown is None or shown.finished_at is None else "1") * 81
        self.expected_seconds = entry.daily.puzzle.expected_seconds if self.puzzle_id and timed else None
        self.backfilled = entry.daily.id is None or entry.daily.backfilled
        self.title = daily_title(entry.daily)
        self.closes_at = entry.daily.closes_at
        self.open = entry.open
        self.state = entry.state
        self.unrankable = entry.unrankable
        self.attempt_id = shown.id if shown is not None else None
        self.elapsed_ms = shown.elapsed_ms if shown is not None else None
        self.withdrawn = entry.daily.withdrawn
        self.withdrawal = entry.daily.withdrawal  # the reason, if its puzzle or the one before was withdrawn

    @property
    def level_name(self) -> str:
        return level_name(self.level)

    @property
    def remark(self) -> str:
        """Return a remark to show with a solve's time, or an empty string."""
        if self.withdrawn:
            return _("withdrawn")
        if self._shown is None:
            return ""
        standings = {
            Standing.REVIEW: _("under review"),
            Standing.REMOVED: _("removed"),
            Standing.PAPER: _("solved on paper"),
        }
        if self._shown.standing in standings:
            return standings[Standing(self._shown.standing)]
        if self._shown.assisted:
            return _("help used")
        if self.state != "solved":
            return _("ranked") if self._shown.ranked else ""
        return _("ranked") if self._shown.ranked and self._entry.on_time else _("practice")


class DayView:
    """A day's cards with its neighbors."""

    def __init__(
        self, day: date, entries: list[DailyEntry], at: datetime, view: type[DailyView] = DailyView
    ) -> None:
        self.date = day
        self.title = day_title(day)
        self.is_today = day == today(at)
        timed = tells_times(entries)
        self.dailies = [view(entry, timed=timed) for entry in entries]
        self.open = any(entry.open for entry in entries)
        self.backfilled = all(daily.backfilled for daily in self.dailies)
        self.closes_at = entries[0].daily.closes_at if entries else None
        self.next_opens_at = opening(today(at) + timedelta(days=1))
        self.next_in_ms = max(0, int((self.next_opens_at - at).total_seconds() * 1000))

    @property
    def next_in(self) -> str:
        """The wait for the next dailies: `5 h 12 min`, or a clock in the last hour."""
        hours, minutes = divmod(self.next_in_ms // 60_000, 60)
        if not hours:
            return clock_text(self.next_in_ms)
        return _("%(hours)s h %(minutes)s min", hours=hours, minutes=minutes)


BLOCK = 9  # days of a streak that are drawn together


class StreakView:
    """A player's streak: its length, the block of nine days it fills, and advice."""

    def __init__(self, streaks: Streaks, at: datetime) -> None:
        self.current = streaks.current
        self.longest = streaks.longest
        self.freezes = streaks.freezes
        self.days = streaks.days
        self.frozen = streaks.frozen
        self._today = today(at)
        self._open = frozenset(streaks.open)

    @property
    def today_counts(self) -> bool:
        """Whether today is the streak's latest day."""
        return self._today in self.days

    @property
    def blocks(self) -> list[list[tuple[int, int, str]]]:
        """The blocks to draw, the latest behind a full one if there is any: each day's place and state."""
        if not self.current:
            return []
        full, latest = self.current > BLOCK, (self.current - 1) % BLOCK + 1
        states = ["done"] * latest + [""] * (BLOCK - latest)
        if self.today_counts:
            states[latest - 1] = "today"
        blocks = [["done"] * BLOCK, states] if full else [states]
        return [[(day % 3 * 11, day // 3 * 11, state) for day, state in enumerate(block)] for block in blocks]

    @property
    def title(self) -> str:
        """`5-day streak`, or an invitation to start one."""
        if not self.current:
            return _("No streak yet")
        return ngettext("%(num)s-day streak", "%(num)s-day streak", self.current)

    @property
    def advice(self) -> str:
        """One sentence about how to keep the streak."""
        if not self.current:
            return _("Solve a daily to start one.")
        if self.today_counts:
            return _("That’s today done. See you tomorrow.")
        if self._today - timedelta(days=1) in self._open:
            return _("Yesterday’s dailies still count until midnight UTC.")
        return _("Play one today to keep it.")

    @property
    def freezes_left(self) -> str:
        """`1 freeze left`; empty without any."""
        return ngettext("%(num)s freeze left", "%(num)s freezes left", self.freezes) if self.freezes else ""


class MonthView:
    """A month of past dailies at one level as a grid: a row per week."""

    def __init__(
        self,
        month: date,
        entries: list[DailyEntry],
        level: int,
        *,
        earlier: date | None,
        later: date | None,
        first_weekday: int,
    ) -> None:
        self.month = month
        self.earlier = earlier
        self.later = later
        solved = Counter(entry.daily.level for entry in entries if entry.state == "solved")
        # Each with how many of its days are solved.
        self.levels = [
            (each, solved[each]) for each in sorted({level, *(entry.daily.level for entry in entries)})
        ]
        self.level = level
        of_level = {entry.daily.date: DailyView(entry) for entry in entries if entry.daily.level == level}
        weeks = Calendar(first_weekday).monthdatescalendar(month.year, month.month)
        self.weekdays = weeks[0]  # for the column headers
        # Days of other months are missing; a day to come, or without a daily at this level, has no view.
        self.weeks = [
            [(day, of_level.get(day)) if day.month == month.month else (None, None) for day in week]
            for week in weeks
        ]
