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
# A database that replays nothing is no replica but a copy, or has become the database itself.
_KEEPS_UP = sa.text(
    "SELECT NOT pg_is_in_recovery()"
    " OR coalesce(now() - pg_last_xact_replay_timestamp() < make_interval(secs => :behind), false)"
)

_not_before = 0.0  # monotonic; of this process


def read(work: Callable[[], Answer], newest: Callable[[], object] = lambda: None) -> Answer:
    """Return what `work` reads: from the replica if possible, else from the database.

    newest: reads what the visitor did last and expects to see; it must be the same in both.
    """
    global _not_before
    if REPLICA not in db.engines or time.monotonic() < _not_before:
        return work()
    expected = newest()
    token = on_replica.set(True)
    try:
        if db.session.scalar(_KEEPS_UP, {"behind": BEHIND}) and newest() == expected:
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
