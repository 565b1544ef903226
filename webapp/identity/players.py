"""Players, identified by the key in their browser. Independent of requests."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from webapp.identity import costs
from webapp.models import Attempt, Drill, LessonProgress, Player, SignIn
from webapp.process.database import db, rows_changed, rows_of, write_tx
from webapp.process.operation.statements import Statement

UNUSED = timedelta(days=30)  # after which a guest without a move is deleted

_PLAYER, _SIGN_IN = Player.__table__, SignIn.__table__
_OF_SESSION = sa.and_(_SIGN_IN.c.id == sa.bindparam("session"), _SIGN_IN.c.player_id == _PLAYER.c.id)
_WITH_KEY = Statement(
    sa.select(
        _PLAYER.c.id,
        _PLAYER.c.key,
        _PLAYER.c.name,
        _PLAYER.c.epoch,
        _PLAYER.c.role,
        _SIGN_IN.c.created_at.label("signed_in_at"),
        _SIGN_IN.c.seen_at,
    )
    .select_from(_PLAYER.outerjoin(_SIGN_IN, _OF_SESSION))
    .where(_PLAYER.c.key == sa.bindparam("key"))
)


@dataclass(frozen=True, slots=True)
class Identity:
    """The fields of a player that every page needs."""

    id: int
    key: str
    name: str | None  # None for a guest
    epoch: int
    role: str | None = None  # of a curator
    # Of the session that was asked for; None if it is not the player's or has been ended.
    signed_in_at: datetime | None = None
    seen_at: datetime | None = None

    @property
    def curator(self) -> bool:
        """Whether the desk is open to them."""
        return self.role is not None


def with_key(key: str, session: str = "") -> Identity | None:
    """Return the player with this key, or None; `session` is the one that the browser names."""
    found = rows_of(_WITH_KEY, {"key": key, "session": session})
    return Identity(*found[0]) if found else None


def new_guest(now: datetime) -> Player:
    """Inside `write_tx()`: return the row of a new guest, added to the session. Raises TooMany."""
    costs.spend(costs.GUESTS)
    guest = Player(created_at=now)
    db.session.add(guest)
    return guest


def fingerprint(player_key: str) -> str:
    """Return a digest of the key, to use where the key must not appear: in a device's list of accounts."""
    return hashlib.blake2b(player_key.encode(), digest_size=8).hexdigest()


def forget_unused_guests(now: datetime) -> int:
    """Delete guests who came long ago and have neither moved, drilled nor practiced. Returns how many."""
    played = sa.exists().where(
        Attempt.player_id == Player.id, sa.or_(Attempt.last_seq > 0, Attempt.started_at >= now - UNUSED)
    )
    drilled = sa.exists().where(
        Drill.player_id == Player.id, sa.or_(Drill.answered_at.is_not(None), Drill.drawn_at >= now - UNUSED)
    )
    learned = sa.exists().where(
        LessonProgress.player_id == Player.id, LessonProgress.practiced_at.is_not(None)
    )
    unused = sa.delete(Player).where(
        Player.name.is_(None), Player.created_at < now - UNUSED, ~played, ~drilled, ~learned
    )
    with write_tx():
        return rows_changed(unused)


def speak(player_id: int, language: str | None) -> None:
    """Keep the language a player has chosen; None for that of their browser."""
    with write_tx():
        db.session.execute(sa.update(Player).where(Player.id == player_id).values(language=language))
