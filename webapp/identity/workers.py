"""Worker heartbeats, and whether one was received recently."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

import sqlalchemy as sa

from webapp.models import Heartbeat
from webapp.process.database import db, write_tx

BEAT_EVERY = timedelta(seconds=10)
LATELY = 3 * BEAT_EVERY
GONE = 6 * BEAT_EVERY  # after this long without a heartbeat, others take over a worker's work


def report(worker: str, now: datetime) -> None:
    """Record a heartbeat of `worker`."""
    with write_tx():
        row = db.session.get(Heartbeat, worker)
        if row is None:
            db.session.add(Heartbeat(worker=worker, seen_at=now))
        else:
            row.seen_at = now


def seen_lately(now: datetime) -> bool:
    """Whether any worker has sent a heartbeat within the last half minute."""
    lately = Heartbeat.seen_at > now - LATELY, Heartbeat.seen_at < now + LATELY
    return bool(db.session.scalar(sa.select(sa.exists().where(*lately))))


def gone(names: Collection[str], now: datetime) -> set[str]:
    """Return those of these workers that are considered gone."""
    lately = Heartbeat.seen_at > now - GONE, Heartbeat.seen_at < now + GONE
    alive = sa.select(Heartbeat.worker).where(Heartbeat.worker.in_(names), *lately)
    return set(names) - set(db.session.scalars(alive))
