"""Traces: the order of every finished game of an open daily, to find copies by; guests' too.

A game is compared with the few that share keys with it (`webapp/game/evidence/likeness.py`), not with all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.game.evidence import likeness
from webapp.models import Trace, TraceKey
from webapp.process.database import db, rows_changed, write_tx

KEPT = timedelta(hours=72)  # a daily is ranked for 48
MOST_A_KEY = 100  # games looked up under one key, the first to finish
MOST = 200  # games compared, those with the most keys in common first
COPIED = 0.88  # nearness from which one of two orders is a copy
STEP = 500  # deleted at once

_trace, _key = Trace.__table__, TraceKey.__table__


@dataclass(frozen=True, slots=True)
class Like:
    """The game whose order is the nearest to another's."""

    attempt_id: str
    player_id: int
    started_at: datetime
    nearness: float  # 0 to 1


def _candidates() -> sa.Select[Any]:
    # A limit for each key: orders that logic leads to are shared by thousands.
    of_keys = (
        sa.select(
            sa.select(_key.c.trace_id)
            .where(_key.c.key == sa.bindparam(f"key{number}", type_=sa.BigInteger))
            .order_by(_key.c.trace_id)
            .limit(MOST_A_KEY)
            .subquery()
        )
        for number in range(likeness.BANDS)
    )
    found = sa.union_all(*of_keys).subquery()
    common = sa.func.count().label("common")
    most = sa.select(found.c.trace_id, common).group_by(found.c.trace_id)
    most_of = most.order_by(common.desc(), found.c.trace_id).limit(MOST).subquery()
    return sa.select(*_trace.c["attempt_id", "player_id", "started_at", "order", "waits", "by_logic"]).join(
        most_of, most_of.c.trace_id == _trace.c.id
    )


_CANDIDATES = _candidates()


def nearest(puzzle_id: int, player_id: int, trace: likeness.Trace) -> Like | None:
    """The game of another player whose order is the nearest; None if none is like it at all."""
    found = likeness.keys(trace.order, puzzle_id)
    if not found:
        return None
    rows = db.session.execute(_CANDIDATES, {f"key{number}": key for number, key in enumerate(found)})
    likes = (
        Like(
            row.attempt_id,
            row.player_id,
            row.started_at,
            likeness.alike(trace, likeness.Trace(row.order, row.waits, row.by_logic)),
        )
        for row in rows
        if row.player_id != player_id
    )
    return max(likes, key=lambda like: (like.nearness, like.attempt_id), default=None)


def keep(connection: sa.Connection, attempt: Any, finished_at: datetime, trace: likeness.Trace) -> None:
    """Store the trace of a game that has just finished. Inside the caller's transaction."""
    stored = connection.execute(
        sa.insert(_trace).values(
            attempt_id=attempt.id,
            player_id=attempt.player_id,
            started_at=attempt.started_at,
            finished_at=finished_at,
            order=trace.order,
            waits=trace.waits,
            by_logic=trace.by_logic,
        )
    )
    (trace_id,) = stored.inserted_primary_key or (None,)
    rows = [
        {"key": key, "trace_id": trace_id} for key in sorted(likeness.keys(trace.order, attempt.puzzle_id))
    ]
    if rows:
        connection.execute(sa.insert(_key), rows)


def merge(guest_id: int, into_id: int) -> None:
    """Make a guest's traces those of their account. Inside the caller's transaction."""
    own = sa.update(_trace).where(_trace.c.player_id == guest_id)
    db.session.execute(own.values(player_id=into_id))


def prune(now: datetime) -> int:
    """Delete traces of games that ended KEPT ago, with their keys. Returns how many."""
    deleted = 0
    while True:
        old: Sequence[int] = db.session.scalars(
            sa.select(Trace.id).where(Trace.finished_at < now - KEPT).order_by(Trace.finished_at).limit(STEP)
        ).all()
        db.session.rollback()
        if not old:
            return deleted
        with write_tx():
            db.session.execute(sa.delete(TraceKey).where(TraceKey.trace_id.in_(old)))
            deleted += rows_changed(sa.delete(Trace).where(Trace.id.in_(old)))
