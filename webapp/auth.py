"""Who is at the other end: a player known by the signed session cookie, or nobody yet."""

from __future__ import annotations

import hashlib

from flask import g, session

from webapp.services import players

PLAYER = "player"


def current_player_id() -> int | None:
    """The player of this request; None before anything was started, or where the player is no more."""
    if "player_id" not in g:
        key = session.get(PLAYER)
        g.player_id = players.with_key(key) if isinstance(key, str) else None
    player_id: int | None = g.player_id
    return player_id


def remember(key: str) -> None:
    """Make this browser the player's."""
    if session.get(PLAYER) != key:
        session[PLAYER] = key
    session.permanent = True


def player_tag() -> str:
    """What stands for the player on their pages and in their browser's caches, and leads nowhere else.

    Empty for nobody: the first page after a sign-out has the kept boards thrown away (docs/offline.md).
    """
    key = session.get(PLAYER)
    return hashlib.sha256(key.encode()).hexdigest()[:12] if isinstance(key, str) else ""
