"""Streaks: how many days in a row, by the numbers of the dailies, a player has solved one on time.

A day counts when one of its puzzles was solved within its window, with or without help, and no curator has
removed the solve. Every tenth day of a streak earns a freeze; a player holds at most two. If a window closes
without a solve, a held freeze covers the day: it doesn't count, but the streak continues. Without a freeze
the streak ends. A day that is still open neither ends a streak nor uses a freeze. A day with a daily that was
withdrawn while it was open counts for every running streak.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

import sqlalchemy as sa

from webapp.models import Attempt, Daily, Standing
from webapp.models.daily import SCHEDULED, WINDOW, opening, today
from webapp.process.database import db

EARNED_BY = 10  # days in a row that earn a freeze
MOST_HELD = 2  # freezes


@dataclass(frozen=True, slots=True)
class Streaks:
    """A player's streak days."""

    current: int
    longest: int
    freezes: int  # held now
    days: frozenset[date]  # days that count
    frozen: frozenset[date]  # days covered by a freeze
    open: tuple[date, ...]  # days that don't count yet but still can, oldest first


def of(player_id: int | None, now: datetime) -> Streaks:
    """Return the current streaks of a player."""
    days = released(now)
    counted = _solved_on_time(player_id)
    return fold(days, counted, still_open(days, counted, now), excused())


def has_solved(player_id: int | None) -> bool:
    """Whether a player has finished any game."""
    if player_id is None:
        return False
    own = sa.select(Attempt.id).where(Attempt.player_id == player_id, Attempt.finished_at.is_not(None))
    return db.session.scalar(own.limit(1)) is not None


def released(now: datetime) -> list[date]:
    """Return the days with a daily, oldest first."""
    # Back-filled days ended no streak when missed, so they end none now.
    days = sa.select(Daily.date).where(Daily.date <= today(now), SCHEDULED)
    return list(db.session.scalars(days.distinct().order_by(Daily.date)))


def excused() -> frozenset[date]:
    """Return the days with a daily that was withdrawn before its window closed."""
    withdrawn = sa.select(Daily.date, Daily.withdrawn_at).where(Daily.withdrawn_at.is_not(None))
    rows = db.session.execute(withdrawn)
    return frozenset(day for day, at in rows if at is not None and at < opening(day) + WINDOW)


def still_open(days: Iterable[date], counted: frozenset[date], now: datetime) -> tuple[date, ...]:
    """Return those of these days that don't count yet but still can."""
    return tuple(day for day in days if day not in counted and now < opening(day) + WINDOW)


def fold(
    released: Iterable[date],
    counted: frozenset[date],
    still_open: tuple[date, ...],
    excused: frozenset[date] = frozenset(),
) -> Streaks:
    """Return the streaks that result from these days; released: the days with a daily, oldest first."""
    current = longest = freezes = 0
    days, frozen = set(counted), set()
    for day in released:
        if day in counted or (current and day in excused):
            days.add(day)
            current += 1
            longest = max(longest, current)
            if current % EARNED_BY == 0:
                freezes = min(MOST_HELD, freezes + 1)
        elif day in still_open:
            continue
        elif current and freezes:
            freezes -= 1
            frozen.add(day)
        else:
            current = 0
    return Streaks(current, longest, freezes, frozenset(days), frozenset(frozen), still_open)


def _solved_on_time(player_id: int | None) -> frozenset[date]:
    if player_id is None:
        return frozenset()
    solves = db.session.execute(
        sa.select(Daily.date, sa.func.min(sa.NotNullable(Attempt.finished_at)).label("first"))
        .join(Attempt, Attempt.daily_id == Daily.id)
        .where(
            Attempt.player_id == player_id,
            Attempt.finished_at.is_not(None),
            SCHEDULED,
            sa.func.coalesce(Attempt.standing, "") != Standing.REMOVED,
        )
        .group_by(Daily.date)
    )
    return frozenset(day for day, first in solves if first < opening(day) + WINDOW)
