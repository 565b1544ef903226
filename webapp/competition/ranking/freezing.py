"""Freezing leaderboards, and provisional points while they are open. Owns its transactions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.competition.ranking import counts, placing, points, waits
from webapp.models import Attempt, Daily, Leaderboard, Player, TimeCount
from webapp.models.daily import WINDOW
from webapp.process.database import db, write_tx

SETTLING = timedelta(minutes=1)  # after the window, so that everything received within it is stored
STEP = 500  # solves frozen per transaction

_attempt, _count = Attempt.__table__, TimeCount.__table__
# A literal in the statement, so that the partial index applies whatever the parameters are.
_DAY = sa.literal(Leaderboard.DAY.value, sa.String, literal_execute=True)
_IN_ORDER = (_attempt.c.board_ms, _attempt.c.finished_at, _attempt.c.id)  # as in ix_attempt_board
_UNFROZEN = sa.select(Daily).where(Daily.id == sa.bindparam("daily_id"), Daily.frozen_at.is_(None))


def freeze(now: datetime, stopping: Callable[[], bool] = lambda: False) -> int:
    """Freeze leaderboards whose windows are over: fix percentiles and update points. Returns how many.

    Works in steps, so that a large leaderboard blocks no one; if the worker stops or is
    killed midway, the leaderboard is processed again.
    """
    due = sa.select(Daily.id).where(Daily.frozen_at.is_(None), Daily.date <= (now - WINDOW - SETTLING).date())
    order = due.order_by(Daily.date, Daily.level)
    return sum(_freeze(daily_id, now, stopping) for daily_id in db.session.scalars(order).all())


def _freeze(daily_id: int, now: datetime, stopping: Callable[[], bool]) -> bool:
    """Freeze one leaderboard, unless another worker has or this one stops."""
    regroup(daily_id, stopping)
    on_it = sa.and_(_attempt.c.daily_id == daily_id, _attempt.c.board == _DAY)
    week = points.monday(db.session.scalars(sa.select(Daily.date).where(Daily.id == daily_id)).one())
    shares = counts.shares(daily_id)
    step = sa.select(*_IN_ORDER).where(on_it).order_by(*_IN_ORDER).limit(STEP)
    rows = db.session.execute(step).all()
    while rows:
        if stopping():
            return False
        with write_tx():
            if db.session.scalar(_UNFROZEN, {"daily_id": daily_id}) is None:
                return False
            _fix(sa.and_(on_it, _attempt.c.id.in_([row.id for row in rows])), shares.get, week)
        last = zip(rows[-1], _IN_ORDER, strict=True)
        after = sa.tuple_(*(sa.literal(value, column.type) for value, column in last))
        rows = db.session.execute(step.where(sa.tuple_(*_IN_ORDER) > after)).all()
    return _close(daily_id, sa.and_(on_it, _attempt.c.percentile.is_(None)), week, now, stopping)


def _close(
    daily_id: int, later: sa.ColumnElement[bool], week: date, now: datetime, stopping: Callable[[], bool]
) -> bool:
    """Freeze the solves added meanwhile, such as those that a curator cleared, and close the leaderboard.

    A concurrent change locks the daily, and we wait for it. Both lock players before the daily, so that no
    two transactions deadlock.
    """
    while not stopping():
        with write_tx():
            _fix(later, lambda second: counts.around(daily_id, Leaderboard.DAY, second).percentile, week)
        with write_tx():
            daily = db.session.scalar(_UNFROZEN.with_for_update(key_share=True), {"daily_id": daily_id})
            if daily is None:
                return False
            if db.session.scalar(sa.select(_attempt.c.id).where(later).limit(1)) is None:
                daily.frozen_at = now
                return True
    return False


def estimate(stopping: Callable[[], bool] = lambda: False) -> int:
    """Update provisional percentiles and points of open leaderboards with new solves. Returns how many.

    Works in steps like `freeze`. A removed solve changes others' shares only with the next new solve.
    """
    opened = sa.exists().where(_count.c.daily_id == Daily.id)
    for daily_id in db.session.scalars(sa.select(Daily.id).where(Daily.frozen_at.is_(None), opened)).all():
        regroup(daily_id, stopping)
    new = sa.exists().where(
        _attempt.c.daily_id == Daily.id,
        _attempt.c.board == _DAY,
        _attempt.c.percentile.is_(None),
        _attempt.c.provisional.is_(None),
    )
    due = sa.select(Daily.id, Daily.date).where(Daily.frozen_at.is_(None), new).order_by(Daily.id)
    open_ones = db.session.execute(due).all()
    return sum(_estimate(daily_id, points.monday(day), stopping) for daily_id, day in open_ones)


def regroup(daily_id: int, stopping: Callable[[], bool] = lambda: False) -> None:
    """Move an open daily's times on or off the ranked list when their waits have begun or ended."""
    rows = db.session.execute(waits.misplaced(daily_id)).all()
    changed = {row.player_id for row in rows if placing.board_of(row) != row.board}
    db.session.rollback()
    for player_id in sorted(changed):
        if stopping():
            return
        with write_tx():
            placing.settle_player(player_id)


def _estimate(daily_id: int, week: date, stopping: Callable[[], bool]) -> bool:
    """Update the estimates of one leaderboard, unless it freezes or this worker stops."""
    on_it = sa.and_(_attempt.c.daily_id == daily_id, _attempt.c.board == _DAY)
    ids = list(db.session.scalars(sa.select(_attempt.c.id).where(on_it).order_by(*_IN_ORDER)))
    shares = counts.shares(daily_id)
    for first in range(0, len(ids), STEP):
        with write_tx():
            if stopping() or db.session.scalar(_UNFROZEN, {"daily_id": daily_id}) is None:
                return False
            step = sa.and_(on_it, _attempt.c.id.in_(ids[first : first + STEP]))
            _fix(step, shares.get, week, _attempt.c.provisional)
    return True


def _fix(
    solves: sa.ColumnElement[bool],
    share: Callable[[int], float | None],
    week: date,
    column: sa.ColumnElement[Any] = _attempt.c.percentile,
) -> None:
    """Set final or provisional percentiles of these solves, and their players' points."""
    connection = db.session.connection()
    players = placing.hold(connection, Player.id.in_(sa.select(_attempt.c.player_id).where(solves)))
    theirs = sa.select(_attempt.c.id, _attempt.c.board_ms).where(solves, _attempt.c.player_id.in_(players))
    shares = [
        {"its_id": row.id, "share": share(row.board_ms // 1000)} for row in connection.execute(theirs).all()
    ]
    if shares:
        this = sa.update(_attempt).where(_attempt.c.id == sa.bindparam("its_id"))
        connection.execute(this.values({column: sa.bindparam("share")}), shares)
        points.rescore(connection, players, week)
