"""A streaming replica of PostgreSQL: what many look at and few change is read there, if one is set.

It is asked only while it keeps up, and has what the visitor has done themselves. Where it is away, behind or
slow, the database itself answers.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from webapp.process.database import REPLICA, db, on_replica
from webapp.process.operation import patience

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

BEHIND = 60.0  # seconds a replica may be behind: the worker writes a heartbeat more often
AWAY = 30.0  # seconds until one that failed is tried again: a try can take two
_STATE = sa.text(
    "SELECT pg_is_in_recovery(),"
    " coalesce(now() - pg_last_xact_replay_timestamp() < make_interval(secs => :behind), false)"
)

# Of this process:
_not_before = 0.0  # monotonic
_said = False  # that there is a database which is no replica


def read(work: Callable[[], Answer], newest: Callable[[], object] = lambda: None) -> Answer:
    """Return what `work` reads: from the replica if possible, else from the database.

    newest: reads what the visitor did last and expects to see; it must be the same in both.
    """
    global _not_before, _said
    if REPLICA not in db.engines or time.monotonic() < _not_before:
        return work()
    expected = newest()
    token = on_replica.set(True)
    try:
        replays, keeps_up = db.session.execute(_STATE, {"behind": BEHIND}).one()
        if not replays:  # a copy, or one that was promoted: it gets nothing new, and could stay so for good
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
