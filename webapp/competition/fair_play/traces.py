"""The order of moves in every finished game of an open daily, guests' included, to detect copies."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.game.fair_play import likeness
from webapp.models import Trace
from webapp.process.database import db, rows_changed, write_tx

KEPT = timedelta(hours=72)  # a daily is ranked for 48 hours
MOST = 20_000  # a puzzle's latest games, which a new one is compared with
LOOKED_AT = 5  # the most similar of these, compared by timing too
STEP = 500  # deleted at once

_trace = Trace.__table__


def nearest(puzzle_id: int, player_id: int, trace: likeness.Trace) -> Trace | None:
    """Return the order of another player's game that is most similar, if either is a copy."""
    others = (
        sa.select(_trace.c.id, _trace.c.places)
        .where(_trace.c.puzzle_id == puzzle_id, _trace.c.player_id != player_id)
        .order_by(_trace.c.id.desc())
        .limit(MOST)
    )
    rows = db.session.execute(others).all()
    if not rows:
        return None
    near = likeness.nearness(trace.places, [row.places for row in rows])
    chosen = {rows[at].id: float(near[at]) for at in near.argsort()[::-1][:LOOKED_AT]}

    def alike(row: Trace) -> float:
        return likeness.alike(chosen[row.id], trace, likeness.Trace(row.places, row.waits, row.by_logic))

    likely = db.session.scalars(sa.select(Trace).where(Trace.id.in_(chosen)))
    found = max(likely, key=lambda row: (alike(row), row.attempt_id))
    return found if alike(found) >= likeness.COPIED else None


def keep(connection: sa.Connection, attempt: Any, finished_at: datetime, trace: likeness.Trace) -> None:
    """Store the order of a game that has just finished. Inside the caller's transaction."""
    connection.execute(
        sa.insert(_trace).values(
            attempt_id=attempt.id,
            puzzle_id=attempt.puzzle_id,
            player_id=attempt.player_id,
            started_at=attempt.started_at,
            finished_at=finished_at,
            places=trace.places,
            waits=trace.waits,
            by_logic=trace.by_logic,
        )
    )


def prune(now: datetime) -> int:
    """Delete orders of games that ended KEPT ago. Returns how many."""
    deleted = 0
    while True:
        old: Sequence[int] = db.session.scalars(
            sa.select(Trace.id).where(Trace.finished_at < now - KEPT).order_by(Trace.finished_at).limit(STEP)
        ).all()
        db.session.rollback()
        if not old:
            return deleted
        with write_tx():
            deleted += rows_changed(sa.delete(Trace).where(Trace.id.in_(old)))
