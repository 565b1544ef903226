"""The current player, identified by the signed session cookie, if any.

The cookie holds the player's key and epoch, so that incrementing the epoch ends every session;
nothing else in it is secret, since it is signed but not encrypted. A browser that has signed in once is a
known device, which may still try when an attacker has used up the account's guesses.
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

from webapp.identity import players
from webapp.identity.players import Identity
from webapp.models import Player
from webapp.process.clock import now
from webapp.process.errors import NotSignedIn

PLAYER, EPOCH, DAY, KNOWN = "player", "epoch", "day", "known"
NAMED_LIFETIME = timedelta(days=30)  # since the last visit; a guest's session lasts as long as the cookie
MOST_KNOWN = 5  # accounts remembered per browser

# Where a sign-in may redirect: to pages, never to an action or another site.
WAYS_BACK = frozenset(
    {
        "accounts",
        "admin",
        "daily",
        "enter",
        "groups",
        "home",
        "leaderboard",
        "play",
        "players",
        "practice",
        "puzzles",
    }
)


def current() -> Identity | None:
    """Return the player of this request; None before a first game or if the session has ended."""
    if "player" not in g:
        g.player = _from_cookie()
    player: Identity | None = g.player
    return player


def who() -> Identity | None:
    """Return the same for the page header, which must render even if the database is down."""
    try:
        return current()
    except SQLAlchemyError:
        return None


def current_player_id() -> int | None:
    """Return the id of the current player, or None."""
    player = current()
    return None if player is None else player.id


def named_player() -> Identity:
    """Return the player of this request if they have an account. Raises NotSignedIn."""
    player = current()
    if player is None or player.name is None:
        raise NotSignedIn
    return player


def remember(player: Player) -> None:
    """Sign the player in on this browser."""
    session[PLAYER], session[EPOCH] = player.key, player.epoch
    if player.name is not None:
        session[DAY] = now().date().isoformat()
    session.permanent = True
    g.pop("player", None)


def player_tag() -> str:
    """Return a tag for the player on their pages and in their browser's caches.

    Empty without a player: the first page after a sign-out deletes the cached boards (docs/offline.md).
    """
    who()  # an ended session belongs to no one
    key = session.get(PLAYER)
    return hashlib.sha256(key.encode()).hexdigest()[:12] if isinstance(key, str) else ""


def begin(player: Player) -> None:
    """Start a new session after a sign-in, without anything of the old one, not even its CSRF token."""
    known = {**known_devices(), players.fingerprint(player.key): secrets.token_urlsafe(12)}
    end()
    session[KNOWN] = dict(list(known.items())[-MOST_KNOWN:])
    remember(player)


def end(*, forget: bool = False) -> None:
    """End the session; the browser stays a known device unless everything is to be forgotten."""
    known = {} if forget else known_devices()
    session.clear()
    if known:
        session[KNOWN] = known
        session.permanent = True
    g.pop("player", None)
    g.pop("csrf_token", None)  # Flask-WTF's token of this request


def known_devices() -> dict[str, str]:
    """Return digests of the players who have signed in here, each with this device's name for them."""
    known = session.get(KNOWN)
    return dict(known) if isinstance(known, dict) else {}


def way_back(target: str | None) -> str:
    """Return where to go after a sign-in: `target` if it is a page of this site, else home.

    It must be a bare path to a page that accepts GET.
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
