"""Sessions of players with an account: begun by a sign-in, listed for the player, ended singly or all at
once.

A guest has none: their cookie is the only key to their games, and there is nothing else to protect.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

import sqlalchemy as sa

from webapp.identity.players import Identity
from webapp.models import SignIn
from webapp.process.clock import AHEAD, LASTS, ran
from webapp.process.database import db, rows_changed, write_tx

IDLE = timedelta(days=30)  # since it was last seen
LONGEST = timedelta(days=180)  # since the sign-in
CURATORS = timedelta(hours=12)  # since the sign-in of a curator
SEEN_EVERY = timedelta(hours=1)
MOST = 50  # of a player; beyond that, the least recently seen one ends

# In this order, since most browsers name others too.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/|FxiOS/", "Firefox"),
    ("Chrome/|CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def begin(player_id: int, user_agent: str, place: str, now: datetime) -> str:
    """Store a new session. Returns its id. `place`: from limits.place()."""
    key = secrets.token_urlsafe(16)
    with write_tx():
        others = sa.select(SignIn.id).where(SignIn.player_id == player_id)
        surplus = db.session.scalars(others.order_by(SignIn.seen_at.desc(), SignIn.id).offset(MOST - 1)).all()
        db.session.execute(sa.delete(SignIn).where(SignIn.id.in_(surplus)))
        db.session.add(
            SignIn(
                id=key,
                player_id=player_id,
                created_at=now,
                seen_at=now,
                device=device(user_agent),
                place=place,
            )
        )
    return key


def is_over(player: Identity, now: datetime) -> bool:
    """Whether the session that this player was loaded with has ended."""
    if player.signed_in_at is None or player.seen_at is None:
        return True
    if player.curator and player.signed_in_at > now + AHEAD:  # of a wrong clock: it would last too long
        return True
    longest = CURATORS if player.curator else LONGEST
    return now - player.signed_in_at >= longest or now - player.seen_at >= IDLE


def is_to_be_seen(player: Identity, now: datetime) -> bool:
    """Whether it is time to note that this player's session is in use."""
    if player.signed_in_at is None or player.seen_at is None:
        return False
    ahead = max(player.seen_at, player.signed_in_at) > now + AHEAD
    return now - player.seen_at >= SEEN_EVERY or (ahead and ran() >= LASTS)


def see(key: str, place: str, now: datetime) -> None:
    """Record that a session is in use. A start that a wrong clock has set in the future becomes now."""
    began = sa.case((SignIn.created_at > now, now), else_=SignIn.created_at)
    with write_tx():
        here = sa.update(SignIn).where(SignIn.id == key)
        db.session.execute(here.values(seen_at=now, created_at=began, place=place))


def end(player_id: int, key: str) -> bool:
    """End one session of a player; False if there is none with this id."""
    with write_tx():
        return bool(rows_changed(sa.delete(SignIn).where(SignIn.id == key, SignIn.player_id == player_id)))


def end_all(player_id: int) -> None:
    """Inside `write_tx()`: end every session of a player."""
    db.session.execute(sa.delete(SignIn).where(SignIn.player_id == player_id))


def going_on(player: Identity, now: datetime) -> Sequence[SignIn]:
    """Return a player's sessions, the one seen last first."""
    longest = CURATORS if player.curator else LONGEST
    found = sa.select(SignIn).where(
        SignIn.player_id == player.id, SignIn.created_at > now - longest, SignIn.seen_at > now - IDLE
    )
    return db.session.scalars(found.order_by(SignIn.seen_at.desc(), SignIn.id)).all()


def sweep(now: datetime) -> int:
    """Delete expired sessions. Returns how many."""
    over = sa.or_(SignIn.seen_at <= now - IDLE, SignIn.created_at <= now - LONGEST)
    with write_tx():
        return rows_changed(sa.delete(SignIn).where(over))


def device(user_agent: str) -> str:
    """Return a browser's description: 'Firefox, Windows'. Empty if unknown."""
    found = (
        next((name for sign, name in signs if re.search(sign, user_agent)), "")
        for signs in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, found))
