"""The current player, identified by the signed session cookie, if any.

The cookie holds the player's key and epoch and, with an account, the session id; a session ends when its row
is deleted or the epoch changes. Nothing else in it is secret, since it is signed but not encrypted. A browser
that has signed in once is a known device: it may still try when an attacker has used up the account's
guesses.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from contextlib import suppress
from urllib.parse import urlsplit

from flask import Flask, current_app, g, request, session, url_for
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response

from webapp.capability import capabilities
from webapp.identity import costs, limits, players, sessions
from webapp.identity.costs import Payer
from webapp.identity.players import Identity
from webapp.models import Player
from webapp.process.clock import now
from webapp.process.database import Busy
from webapp.process.errors import NotSignedIn
from webapp.web.i18n.choice import keep

PLAYER, EPOCH, SIGN_IN, KNOWN = "player", "epoch", "sign-in", "known"
MOST_KNOWN = 5  # accounts remembered per browser


def init_app(app: Flask) -> None:
    """Charge every request to its payer's rate limit."""

    @app.before_request
    def pay() -> None:
        costs.begin(payer)

    @app.after_request
    def note_the_session(response: Response) -> Response:
        player = g.get("player")
        if player is not None and sessions.is_to_be_seen(player, now()):
            with suppress(Busy, SQLAlchemyError):  # leave it to the next request
                sessions.see(session[SIGN_IN], limits.place(request.remote_addr), now())
        return response

    @app.teardown_request
    def pay_no_more(_error: BaseException | None) -> None:
        costs.begin(None)


def current() -> Identity | None:
    """Return the player of this request; None before a first game or after the session has ended."""
    if "player" not in g:
        g.player = _from_cookie()
    player: Identity | None = g.player
    return player


def who() -> Identity | None:
    """Like `current`, but None if the database is down: the page header must still render."""
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


def payer() -> Payer:
    """Return whom this request's rate limits are charged to.

    The key of a guest whom this browser's first form creates is the same for a repeated one.
    """
    newcomer, token = None, session.get("csrf_token")
    if isinstance(token, str):
        secret = current_app.extensions["settings"].secret_key.encode()
        digest = hmac.digest(secret, token.encode(), "sha256")[:16]
        newcomer = base64.urlsafe_b64encode(digest).decode().rstrip("=")
    return Payer(limits.network(request.remote_addr), current_player_id(), newcomer)


def remember(player: Player) -> None:
    """Sign the player in on this browser."""
    session[PLAYER], session[EPOCH] = player.key, player.epoch
    session.permanent = True
    g.pop("player", None)


def player_tag() -> str:
    """Return a tag that identifies the player in pages and in the browser's caches.

    Empty without a player: the first page after a sign-out deletes the cached boards (docs/offline.md).
    """
    who()  # an ended session has no player
    key = None if g.get("over") else session.get(PLAYER)
    return hashlib.sha256(key.encode()).hexdigest()[:12] if isinstance(key, str) else ""


def begin(player: Player) -> None:
    """Start a new session after a sign-in, keeping nothing of the old one, not even its CSRF token."""
    known = {**known_devices(), players.fingerprint(player.key): secrets.token_urlsafe(12)}
    end()
    session[KNOWN] = dict(list(known.items())[-MOST_KNOWN:])
    agent, place = request.user_agent.string, limits.place(request.remote_addr)
    session[SIGN_IN] = sessions.begin(player.id, agent, place, now())
    remember(player)
    keep(player.language)


def end(*, forget: bool = False) -> None:
    """End the session, here and on the server.

    The browser stays a known device unless `forget` is set.
    """
    player, key = current(), session_key()
    if player is not None and key:
        sessions.end(player.id, key)
    known = {} if forget else known_devices()
    session.clear()
    if known:
        session[KNOWN] = known
        session.permanent = True
    g.pop("player", None)
    g.pop("csrf_token", None)  # Flask-WTF's token of this request


def session_key() -> str:
    """Return the id of this browser's session; empty for a guest."""
    key = session.get(SIGN_IN)
    return key if isinstance(key, str) else ""


def known_devices() -> dict[str, str]:
    """Return digests of the players who have signed in here, each with their name for this device."""
    known = session.get(KNOWN)
    return dict(known) if isinstance(known, dict) else {}


def came_from() -> str | None:
    """Return where a sign-in from this page leads back to; None for the home page."""
    if request.method != "GET" or request.path == "/" or request.blueprint == "accounts":
        return None
    return request.full_path.rstrip("?")


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
    name = endpoint.partition(".")[0]
    if name != "admin" and name not in capabilities().pages:
        return home
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _from_cookie() -> Identity | None:
    key = session.get(PLAYER)
    player = players.with_key(key, session_key()) if isinstance(key, str) else None
    if player is None or session.get(EPOCH, 0) != player.epoch:
        session.pop(PLAYER, None)
        return None
    if player.name is not None and sessions.is_over(player, now()):
        g.over = True  # the cookie keeps it: the clock may be wrong now
        return None
    return player
