"""Players, identified by the key in their browser. Independent of requests."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from webapp.models import Attempt, Drill, Player
from webapp.process.database import db, rows_changed, write_tx

UNUSED = timedelta(days=30)  # after which a guest without a move is deleted

_WITH_KEY = sa.select(Player.id, Player.key, Player.name, Player.epoch, Player.curator).where(
    Player.key == sa.bindparam("key")
)


@dataclass(frozen=True, slots=True)
class Identity:
    """The fields of a player that every page needs."""

    id: int
    key: str
    name: str | None  # None for a guest
    epoch: int
    curator: bool = False


def with_key(key: str) -> Identity | None:
    """Return the player with this key, or None."""
    row = db.session.execute(_WITH_KEY, {"key": key}).one_or_none()
    return None if row is None else Identity(*row)


def fingerprint(player_key: str) -> str:
    """Return a digest of the key, to use where the key must not appear: in a device's list of accounts."""
    return hashlib.blake2b(player_key.encode(), digest_size=8).hexdigest()


def forget_unused_guests(now: datetime) -> int:
    """Delete guests who came long ago and have neither made a move nor answered a drill. Returns how many."""
    played = sa.exists().where(
        Attempt.player_id == Player.id, sa.or_(Attempt.last_seq > 0, Attempt.started_at >= now - UNUSED)
    )
    practiced = sa.exists().where(
        Drill.player_id == Player.id, sa.or_(Drill.answered_at.is_not(None), Drill.drawn_at >= now - UNUSED)
    )
    unused = sa.delete(Player).where(
        Player.name.is_(None), Player.created_at < now - UNUSED, ~played, ~practiced
    )
    with write_tx():
        return rows_changed(unused)
