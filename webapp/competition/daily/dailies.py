"""The dailies for players: each day's puzzles, their window, and each player's state.

A day begins at 00:00 UTC by the server's clock. No player has seen a daily before: it was never started or
shown, and no daily within a year has its solution.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import sqlalchemy as sa

from webapp.competition.daily import schedule
from webapp.models import Attempt, Daily, Peek
from webapp.models.daily import ARCHIVE_FROM, LEVELS, opening, today
from webapp.process.database import db
from webapp.process.errors import NoPuzzle, NotFound, NotYet
from webapp.process.words import gettext as _

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DailyEntry:
    """A daily from one player's view at one moment."""

    daily: Daily
    now: datetime
    attempts: tuple[Attempt, ...] = ()  # the player's at this puzzle, oldest first
    peeked: bool = False  # the player has seen the puzzle without playing it

    @property
    def open(self) -> bool:
        """Whether a solve would be on time."""
        made_late = self.daily.id is None or self.daily.backfilled
        return not made_late and self.daily.opens_at <= self.now < self.daily.closes_at

    @property
    def shown(self) -> Attempt | None:
        """The attempt to show: the ranked one, else the one in progress, else the first finished one."""
        ranked = next((attempt for attempt in self.attempts if attempt.ranked), None)
        in_play = next((attempt for attempt in self.attempts if attempt.finished_at is None), None)
        finished = [attempt for attempt in self.attempts if attempt.finished_at is not None]
        return ranked or in_play or min(finished, key=_finish, default=None)

    @property
    def state(self) -> str:
        """`new`, `playing` or `solved`."""
        if self.shown is None:
            return "new"
        return "playing" if self.shown.finished_at is None else "solved"

    @property
    def on_time(self) -> bool:
        """Whether the shown attempt was finished within the window."""
        shown = self.shown
        return shown is not None and shown.finished_at is not None and _finish(shown) < self.daily.closes_at

    @property
    def unrankable(self) -> str:
        """Why this player can't start a ranked solve anymore, in words; empty if one is possible."""
        if self.daily.withdrawn:
            return _("This puzzle was withdrawn and can’t be started anymore.")
        if not self.open:
            return _("This leaderboard has closed, so this is practice.")
        if self.peeked:
            return _("You’ve seen this puzzle before, so this is practice.")
        if self.attempts:
            return _("You’ve already started this puzzle, so this is practice.")
        return ""


def _finish(attempt: Attempt) -> datetime:
    assert attempt.finished_at is not None
    return attempt.finished_at


def day_entries(day: date, player_id: int | None, now: datetime) -> list[DailyEntry]:
    """Return the released dailies of a day, easiest first. Raises NotYet before that, NotFound without any.

    A gap today is filled immediately if a puzzle is available. Past days may have entries without a puzzle.
    """
    wait = opening(day) - now
    if wait > timedelta():
        raise NotYet(_("This daily opens in %(wait)s.", wait=_in_words(wait)), wait)
    if day == today(now):
        for _day, level in schedule.lacking(day, day):
            log.error("no %s daily was scheduled for today: one is picked as it is asked for", level)
            schedule.fill_one(day, level, now)
    entries = _archived(day, _entries(Daily.date == day, player_id, now), now)
    if not entries:
        raise NotFound(_("There was no daily that day."))
    return entries


def today_entries(player_id: int | None, now: datetime) -> list[DailyEntry]:
    """Return what is scheduled for today, without filling gaps."""
    return _entries(Daily.date == today(now), player_id, now)


def month_entries(first: date, player_id: int | None, now: datetime) -> list[DailyEntry]:
    """Return the released dailies of the month that starts on `first`, oldest first."""
    after = min(next_month(first), today(now) + timedelta(days=1))
    entries: dict[date, list[DailyEntry]] = defaultdict(list)
    for entry in _entries(sa.and_(Daily.date >= first, Daily.date < after), player_id, now):
        entries[entry.daily.date].append(entry)
    days = (first + timedelta(days=number) for number in range((after - first).days))
    return [entry for day in days for entry in _archived(day, entries[day], now)]


def _archived(day: date, entries: list[DailyEntry], now: datetime) -> list[DailyEntry]:
    """Add the missing levels of a past day that was never scheduled, as dailies without a puzzle.

    `released` assigns it.
    """
    if not ARCHIVE_FROM <= day < today(now) or any(not entry.daily.backfilled for entry in entries):
        return entries
    missing = set(LEVELS) - {entry.daily.level for entry in entries}
    added = [DailyEntry(Daily(date=day, level=level), now) for level in missing]
    return sorted([*entries, *added], key=lambda entry: entry.daily.level)


def next_month(first: date) -> date:
    """Return the first day of the next month."""
    return (first + timedelta(days=31)).replace(day=1)


def released(day: date, level: int, now: datetime) -> Daily:
    """Return a released daily. Raises NotYet before its release, NotFound if there is none.

    Assigns a puzzle to a past daily without one. Raises NoPuzzle if there is none.
    """
    for entry in day_entries(day, None, now):
        if entry.daily.level == level:
            made_late = sa.inspect(entry.daily).transient
            daily = schedule.fill_one(day, level, now, closed_at=now) if made_late else entry.daily
            if daily is not None:
                return daily
            raise NoPuzzle(_("We’re still making puzzles for this day. Try again in a minute."))
    raise NotFound(_("There’s no daily at this level that day."))


def with_puzzle(puzzle_id: int, player_id: int | None, now: datetime) -> DailyEntry | None:
    """Return the released daily with this puzzle, or None."""
    entries = _entries(sa.and_(Daily.puzzle_id == puzzle_id, Daily.date <= today(now)), player_id, now)
    return entries[0] if entries else None


def withdrawn_daily(puzzle_id: int) -> Daily | None:
    """Return the daily from which a puzzle was withdrawn, or None."""
    had = sa.select(Daily).where(Daily.former_id == puzzle_id, Daily.withdrawn_at.is_not(None))
    return db.session.scalar(had.limit(1))


def entry_of(daily: Daily, player_id: int | None, now: datetime) -> DailyEntry:
    """Return a daily from a player's view."""
    return _entries(Daily.id == daily.id, player_id, now)[0]


def _in_words(wait: timedelta) -> str:
    """Format a wait as 12:05 or 3:12:05, rounded up, so that the day has begun at its end."""
    minutes, seconds = divmod(-(-wait // timedelta(seconds=1)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"


def _entries(which: sa.ColumnElement[bool], player_id: int | None, now: datetime) -> list[DailyEntry]:
    found = sa.select(Daily).where(which).options(sa.orm.joinedload(Daily.puzzle, innerjoin=True))
    dailies = db.session.scalars(found.order_by(Daily.date, Daily.level)).all()
    attempts: dict[int, list[Attempt]] = defaultdict(list)
    peeked: set[int] = set()
    if player_id is not None and dailies:
        puzzles = sa.select(Daily.puzzle_id).where(which)
        own = sa.select(Attempt).where(Attempt.player_id == player_id, Attempt.puzzle_id.in_(puzzles))
        for attempt in db.session.scalars(own.order_by(Attempt.started_at, Attempt.id)):
            attempts[attempt.puzzle_id].append(attempt)
        seen = sa.select(Peek.puzzle_id).where(Peek.player_id == player_id, Peek.puzzle_id.in_(puzzles))
        peeked = set(db.session.scalars(seen))
    return [
        DailyEntry(daily, now, tuple(attempts[daily.puzzle_id]), daily.puzzle_id in peeked)
        for daily in dailies
    ]
