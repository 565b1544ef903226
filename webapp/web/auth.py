"""Who is at the other end: a player known by the signed session cookie, or nobody yet.

The cookie holds the player's key and epoch, so that counting the epoch up ends every session there is;
nothing else of it is secret, since it is signed and not encrypted. Where somebody has signed in once is a
known device, which may still try when strangers have used up the account's guesses.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import date, timedelta
from urllib.parse import urlsplit

from flask import current_app, g, request, session, url_for
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from webapp.errors import NotSignedIn
from webapp.identity import players
from webapp.identity.players import Identity
from webapp.models import Player
from webapp.process.clock import now

PLAYER, EPOCH, DAY, KNOWN = "player", "epoch", "day", "known"
NAMED_LIFETIME = timedelta(days=30)  # since the last visit; a guest's is the cookie's own
MOST_KNOWN = 5  # accounts one browser is remembered to have signed in to

# Where a sign-in may lead: pages, never an action and never another site.
WAYS_BACK = frozenset(
    {"accounts", "admin", "daily", "enter", "groups", "home", "leaderboard", "play", "players", "puzzles"}
)


def current() -> Identity | None:
    """The player of this request; None before anything was started, or where the session has ended."""
    if "player" not in g:
        g.player = _from_cookie()
    player: Identity | None = g.player
    return player


def who() -> Identity | None:
    """The same for the head of a page, which has to be drawn even while the database is away."""
    try:
        return current()
    except SQLAlchemyError:
        return None


def current_player_id() -> int | None:
    """The same, as services ask for it."""
    player = current()
    return None if player is None else player.id


def named_player() -> Identity:
    """The player of this request, who has a name; raises NotSignedIn."""
    player = current()
    if player is None or player.name is None:
        raise NotSignedIn
    return player


def remember(player: Player) -> None:
    """Make this browser the player's."""
    session[PLAYER], session[EPOCH] = player.key, player.epoch
    if player.name is not None:
        session[DAY] = now().date().isoformat()
    session.permanent = True
    g.pop("player", None)


def player_tag() -> str:
    """What stands for the player on their pages and in their browser's caches, and leads nowhere else.

    Empty for nobody: the first page after a sign-out has the kept boards thrown away (docs/offline.md).
    """
    who()  # a session that has ended is nobody's
    key = session.get(PLAYER)
    return hashlib.sha256(key.encode()).hexdigest()[:12] if isinstance(key, str) else ""


def begin(player: Player) -> None:
    """A session from scratch, after a sign-in: nothing of the one before stays, not even its CSRF token."""
    known = {**known_devices(), players.fingerprint(player.key): secrets.token_urlsafe(12)}
    end()
    session[KNOWN] = dict(list(known.items())[-MOST_KNOWN:])
    remember(player)


def end(*, forget: bool = False) -> None:
    """Nobody's browser any more, but a known one unless all is to be forgotten."""
    known = {} if forget else known_devices()
    session.clear()
    if known:
        session[KNOWN] = known
        session.permanent = True
    g.pop("player", None)
    g.pop("csrf_token", None)  # Flask-WTF's of this request


def known_devices() -> dict[str, str]:
    """Digests of the players who have signed in here, each with what this device is called."""
    known = session.get(KNOWN)
    return dict(known) if isinstance(known, dict) else {}


def way_back(target: str | None) -> str:
    """Where to go after a sign-in: `target` where that is a page of ours, else home.

    It has to be a path and nothing else, and to lead to a page that can be asked for with GET.
    """
    home = url_for("home.show")
    if not target or not re.fullmatch(r"/(?![/\\])[^\\]*", target) or not target.isprintable():
        return home
    try:
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            return home
        adapter = current_app.url_map.bind(request.host)
        endpoint, _values = adapter.match(parts.path, method="GET")
    except (ValueError, HTTPException, RequestRedirect):
        return home
    if endpoint.partition(".")[0] not in WAYS_BACK:
        return home
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _from_cookie() -> Identity | None:
    key = session.get(PLAYER)
    player = players.with_key(key) if isinstance(key, str) else None
    if player is None or session.get(EPOCH, 0) != player.epoch or not _lately_seen(player):
        session.pop(PLAYER, None)
        return None
    return player


def _lately_seen(player: Identity) -> bool:
    if player.name is None:
        return True
    today = now().date()
    try:
        seen = date.fromisoformat(session.get(DAY, ""))
    except (TypeError, ValueError):
        return False
    if today > seen:
        session[DAY] = today.isoformat()
    return today - seen <= NAMED_LIFETIME
