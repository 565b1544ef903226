"""Who is at the other end: a player known by the signed session cookie, or nobody yet."""

from __future__ import annotations

from flask import session

PLAYER = "player"


def current_player_id() -> int | None:
    """The player of this request; None before anything was started."""
    return session.get(PLAYER)


def remember(player_id: int) -> None:
    """Make this browser the player's."""
    if session.get(PLAYER) != player_id:
        session[PLAYER] = player_id
    session.permanent = True
