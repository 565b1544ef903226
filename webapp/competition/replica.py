"""A streaming replica of PostgreSQL for pages that many read and few change, if configured.

The replica is used only while it is current, including the visitor's own last changes. If it is down, behind
or slow, the primary answers.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from webapp.models import Attempt
from webapp.process.database import REPLICA, db, on_replica
from webapp.process.operation import patience

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

BEHIND = 60.0  # seconds that a replica may be behind; the worker writes a heartbeat more often
AWAY = 30.0  # seconds before a failed replica is tried again; a try can take two
_STATE = sa.text(
    "SELECT pg_is_in_recovery(),"
    " coalesce(now() - pg_last_xact_replay_timestamp() < make_interval(secs => :behind), false)"
)

# Of this process:
_not_before = 0.0  # monotonic
_said = False  # whether a database without replication has been logged


def read(work: Callable[[], Answer], newest: Callable[[], object] = lambda: None) -> Answer:
    """Return the result of `work`, read from the replica if possible, else from the primary.

    newest: reads the visitor's latest change, which they expect to see; it must be the same on both.
    """
    global _not_before, _said
    if REPLICA not in db.engines or time.monotonic() < _not_before:
        return work()
    expected = newest()
    token = on_replica.set(True)
    try:
        replays, keeps_up = db.session.execute(_STATE, {"behind": BEHIND}).one()
        if not replays:  # a copy, or a promoted replica: it gets no updates, and may never again
            _not_before = time.monotonic() + AWAY
            if not _said:
                log.error("DATABASE_REPLICA_URL leads to no replica; the database does its work")
        _said = not replays
        if replays and keeps_up and newest() == expected:
            return work()
    except SQLAlchemyError as error:
        if not patience.unavailable(error):
            raise
        _not_before = time.monotonic() + AWAY
        log.warning("the replica does not answer; the database does its work", exc_info=error)
        db.session.rollback()
    finally:
        on_replica.reset(token)
    return work()


def last_solve(player_id: int | None) -> str | None:
    """Return the game this player finished last, which they expect on leaderboards."""
    if player_id is None:
        return None
    mine = sa.select(Attempt.id).where(Attempt.player_id == player_id, Attempt.finished_at.is_not(None))
    return db.session.scalar(mine.order_by(Attempt.finished_at.desc(), Attempt.id).limit(1))
