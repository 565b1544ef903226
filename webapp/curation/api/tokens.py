"""Tokens for the HTTP API: created and revoked by curators, each with the rights of its curator's role.

Ending a curator's sessions ends their tokens too: a token is valid for the epoch it was created in.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from webapp.identity import audit, texts
from webapp.identity.players import Identity
from webapp.models import ApiToken, Player
from webapp.process.database import Busy, db, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

MOST = 20  # of a curator
DAYS = (30, 90, 365)  # until a token expires
LONGEST = 40  # characters of a name
PREFIX = "ninefold_"  # so that scanners recognize one that was published by mistake
NOTED = timedelta(minutes=1)  # the resolution of the last use
_FORM = re.compile(PREFIX + r"[A-Za-z0-9_-]{43}")
_holds = sa.and_(Player.id == ApiToken.player_id, Player.epoch == ApiToken.epoch)


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of its curator's rights that a token has, and for how long."""

    read_only: bool = False
    parts: tuple[str, ...] = ()  # blueprints of the API; none: all of them
    days: int | None = DAYS[1]  # none: without an end

    def covers(self, part: str, *, write: bool) -> bool:
        """Whether it includes reading or writing in a part."""
        return (not self.parts or part in self.parts) and not (write and self.read_only)


@dataclass(frozen=True, slots=True)
class Holder:
    """A valid token with its curator."""

    number: int
    curator: Identity
    scope: Scope


def make(curator: Identity, name: str, now: datetime, scope: Scope = Scope()) -> str:
    """Create a token and return it; it can't be read again. Raises BadInput."""
    name = texts.checked("name", name)
    if not name or len(name) > LONGEST:
        raise BadInput(name=_("Enter a name of up to %(most)s characters.", most=LONGEST))
    token = PREFIX + secrets.token_urlsafe(32)
    with write_tx():
        # Locked, so that a curator who is removed or signed out meanwhile gets none.
        holder = sa.select(Player.id).where(
            Player.id == curator.id, Player.curator, Player.epoch == curator.epoch
        )
        if db.session.scalar(holder.with_for_update()) is None:
            raise NotFound(_("We couldn’t find that curator."))
        ended = sa.delete(ApiToken).where(ApiToken.player_id == curator.id, ApiToken.epoch != curator.epoch)
        db.session.execute(ended)
        if len(of(curator.id)) >= MOST:
            raise BadInput(name=_("You have %(most)s tokens already. Revoke one first.", most=MOST))
        made = ApiToken(
            player_id=curator.id,
            epoch=curator.epoch,
            name=name,
            digest=_digest(token),
            read_only=scope.read_only,
            parts=" ".join(scope.parts),
            expires_at=None if scope.days is None else now + timedelta(days=scope.days),
            created_at=now,
        )
        db.session.add(made)
        db.session.flush()
        audit.record(curator, "create", ("token", made.id), at=now, after={"name": name})
    return token


def revoke(curator: Identity, token_id: int, now: datetime) -> None:
    """Revoke one's own token, effective with its next request. Raises NotFound."""
    with write_tx():
        token = db.session.get(ApiToken, token_id)
        if token is None or token.player_id != curator.id:
            raise NotFound(_("We couldn’t find that token of yours."))
        db.session.delete(token)
        audit.record(curator, "revoke", ("token", token_id), at=now, before={"name": token.name})


def of(player_id: int) -> Sequence[ApiToken]:
    """Return a curator's valid tokens, newest first."""
    return db.session.scalars(
        sa.select(ApiToken)
        .join(Player, _holds)
        .where(ApiToken.player_id == player_id)
        .order_by(ApiToken.id.desc())
    ).all()


def whose(token: str, now: datetime) -> Holder | None:
    """Return a token with its curator and their current role; None for an invalid or expired one."""
    if _FORM.fullmatch(token) is None:
        return None
    row = db.session.execute(
        sa.select(
            *(ApiToken.id, ApiToken.used_at, Player.id, Player.key, Player.name, Player.epoch, Player.role),
            *(ApiToken.read_only, ApiToken.parts),
        )
        .join(Player, _holds)
        .where(
            ApiToken.digest == _digest(token),
            Player.curator,
            sa.or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > now),
        )
    ).one_or_none()
    if row is None:
        return None
    number, used_at, player_id, key, name, epoch, role, read_only, parts = row
    if used_at is None or now - used_at >= NOTED:
        with suppress(Busy, SQLAlchemyError), write_tx():  # leave it to the next request
            db.session.execute(sa.update(ApiToken).where(ApiToken.id == number).values(used_at=now))
    return Holder(number, Identity(player_id, key, name, epoch, role), Scope(read_only, tuple(parts.split())))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
