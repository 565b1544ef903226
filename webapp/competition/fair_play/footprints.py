"""Footprints: which players started an open daily from the same device and address.

Only a keyed hash of both is stored, for KEPT: long enough to see that two accounts are one, as the page on
privacy says. A shared device is no doubt by itself: families and schools share them.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa

from webapp.models import Attempt, Footprint
from webapp.process.database import db, rows_changed, upsert, write_tx

KEPT = timedelta(hours=72)

_footprint = Footprint.__table__


def leave(attempt: Attempt, device: str, now: datetime) -> None:
    """Note that a player has started a puzzle from a device. Inside the caller's transaction."""
    db.session.flush()
    row = {
        "puzzle_id": attempt.puzzle_id,
        "device": device,
        "player_id": attempt.player_id,
        "seen_at": now,
    }
    db.session.execute(upsert(_footprint).values(row).on_conflict_do_nothing())


def shared(attempt: Attempt) -> bool:
    """Whether another player had started the puzzle from a device of this one's before this game began."""
    own = _footprint.alias("own")
    others = sa.select(_footprint.c.player_id).where(
        _footprint.c.puzzle_id == own.c.puzzle_id,
        _footprint.c.device == own.c.device,
        _footprint.c.player_id != attempt.player_id,
        _footprint.c.seen_at <= attempt.started_at,
    )
    here = sa.select(own.c.device).where(
        own.c.puzzle_id == attempt.puzzle_id, own.c.player_id == attempt.player_id, others.exists()
    )
    return db.session.execute(here.limit(1)).first() is not None


def merge(guest_id: int, into_id: int) -> None:
    """Move a guest's footprints to their account. Inside the caller's transaction."""
    own = _footprint.alias("own")
    known = sa.exists().where(
        own.c.puzzle_id == _footprint.c.puzzle_id,
        own.c.device == _footprint.c.device,
        own.c.player_id == into_id,
    )
    moved = sa.update(_footprint).where(_footprint.c.player_id == guest_id, ~known)
    db.session.execute(moved.values(player_id=into_id))


def prune(now: datetime) -> int:
    """Delete footprints older than KEPT. Returns how many."""
    with write_tx():
        return rows_changed(sa.delete(Footprint).where(Footprint.seen_at < now - KEPT))
