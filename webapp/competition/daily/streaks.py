"""Streaks: how many days in a row, by the numbers of the dailies, a player has solved one on time.

A day counts when one of its puzzles was solved within its window, with or without help, and no curator has
removed the solve. A streak ends with the first day whose window has passed without a solve; a day that is
still open does not end it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import sqlalchemy as sa

from webapp.competition.daily.dailies import opening, today
from webapp.models import Attempt, Daily, Standing
from webapp.models.daily import WINDOW
from webapp.process.database import db


@dataclass(frozen=True, slots=True)
class Streaks:
    """A player's streak days."""

    current: int
    longest: int
    days: frozenset[date]  # that count
    open: tuple[date, ...]  # that do not count yet and still can, oldest first


def of(player_id: int | None, now: datetime) -> Streaks:
    """Return the current streaks of a player."""
    last = today(now)
    released = list(
        db.session.scalars(sa.select(Daily.date).where(Daily.date <= last).distinct().order_by(Daily.date))
    )
    counted = _solved_on_time(player_id)
    still_open = tuple(day for day in released if day not in counted and now < opening(day) + WINDOW)
    current, longest = _runs(released, counted, frozenset(still_open))
    return Streaks(current, longest, counted, still_open)


def _solved_on_time(player_id: int | None) -> frozenset[date]:
    if player_id is None:
        return frozenset()
    solves = db.session.execute(
        sa.select(Daily.date, sa.func.min(sa.NotNullable(Attempt.finished_at)).label("first"))
        .join(Attempt, Attempt.daily_id == Daily.id)
        .where(
            Attempt.player_id == player_id,
            Attempt.finished_at.is_not(None),
            sa.func.coalesce(Attempt.standing, "") != Standing.REMOVED,
        )
        .group_by(Daily.date)
    )
    return frozenset(day for day, first in solves if first < opening(day) + WINDOW)


def _runs(days: Iterable[date], counted: frozenset[date], still_open: frozenset[date]) -> tuple[int, int]:
    """Return the run that is still alive after the last of these days, and the longest run."""
    run = longest = 0
    for day in days:
        if day in counted:
            run += 1
            longest = max(longest, run)
        elif day not in still_open:
            run = 0
    return run, longest


def calendar(streaks: Streaks, first: date) -> dict[date, bool]:
    """Return every day of the month that starts on `first`, and whether it counts."""
    days = (first + timedelta(days=number) for number in range(31))
    return {day: day in streaks.days for day in days if day.month == first.month}
