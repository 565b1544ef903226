"""Close days: turn ranks into points once the window is over, and again when a solve comes or goes later."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa

from webapp.competition import points, standing
from webapp.models import Attempt, Daily, Player
from webapp.models.daily import WINDOW
from webapp.process.database import db, write_tx

SETTLING: Final = timedelta(minutes=1)  # after the window, so that everything received within it is stored
STEP: Final = 500  # players per transaction


def close(now: datetime) -> Iterator[int]:
    """Give the points of days whose windows are over; yields each daily once done."""
    due = sa.select(Daily.id).where(Daily.closed_at.is_(None), Daily.date <= (now - WINDOW - SETTLING).date())
    for daily_id in db.session.scalars(due.order_by(Daily.date, Daily.level)).all():
        with write_tx():
            open_one = sa.select(Daily).where(Daily.id == daily_id, Daily.closed_at.is_(None))
            daily = db.session.scalar(open_one.with_for_update())
            if daily is None:  # another worker was faster
                continue
            points.give(db.session.connection(), daily_id)
            daily.closed_at, daily.unsettled = now, True
        yield daily_id


def settle() -> Iterator[int]:
    """Go over the players of days that were closed, withdrawn or restored; yields each step once done.

    Their solves are placed again, and their points summed up. A killed worker does it again.
    """
    for daily in db.session.scalars(sa.select(Daily).where(Daily.unsettled).order_by(Daily.id)).all():
        daily_id, week, seen = daily.id, points.monday(daily.date), _seen(daily)
        theirs = sa.select(Attempt.player_id).where(
            Attempt.daily_id == daily_id, Attempt.finished_at.is_not(None)
        )
        players = db.session.scalars(theirs.distinct().order_by(Attempt.player_id)).all()
        db.session.rollback()
        for first in range(0, len(players), STEP):
            step = players[first : first + STEP]
            with write_tx():
                connection = db.session.connection()
                held = standing.lock_players(connection, Player.id.in_(step))
                here = sa.and_(Attempt.daily_id == daily_id, Attempt.player_id.in_(held))
                standing.place(connection, here)
                points.sum_up(connection, held, week)
            yield len(step)
        with write_tx():
            current = db.session.get_one(Daily, daily_id, with_for_update=True, populate_existing=True)
            if _seen(current) == seen:  # else it was withdrawn, restored or closed again meanwhile
                current.unsettled = False


def _seen(daily: Daily) -> tuple[int, int | None, datetime | None, datetime | None]:
    return daily.puzzle_id, daily.former_id, daily.withdrawn_at, daily.closed_at
