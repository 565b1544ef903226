"""Suspensions: accounts that a curator keeps off all leaderboards, for a time or for good, and their appeals.

Their solves stay where they are and come back to the leaderboards when the suspension ends.
"""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from webapp.competition import ranking
from webapp.identity import audit
from webapp.models import Player
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, BadStart
from webapp.process.words import gettext as _

LONGEST_APPEAL = 2000  # characters


def begin(player: Player, until: datetime | None, reason: str) -> None:
    """Inside `write_tx()`: take a player off all leaderboards, until then or for good."""
    player.suspended, player.suspended_until, player.suspension_reason = True, until, reason
    player.appeal = None
    ranking.settle_player(player.id)


def answer(player: Player, words: str) -> None:
    """Inside `write_tx()`: answer a player's appeal below the reason; the suspension goes on."""
    player.suspension_reason = "\n".join(filter(None, (player.suspension_reason, words)))
    player.appeal = None


def end(player: Player) -> None:
    """Inside `write_tx()`: bring a player back to the leaderboards."""
    player.suspended, player.suspended_until, player.suspension_reason = False, None, None
    player.appeal = None
    ranking.readmit(player.id)


def end_expired(now: datetime) -> int:
    """End the suspensions whose time is over. Returns how many."""
    over = sa.select(Player.id).where(Player.suspended, Player.suspended_until <= now).order_by(Player.id)
    ended = 0
    for player_id in db.session.scalars(over).all():
        with write_tx():
            player = db.session.get(Player, player_id, with_for_update=True, populate_existing=True)
            if player is None or not player.suspended:
                continue
            if player.suspended_until is None or player.suspended_until > now:
                continue
            end(player)
            before, after = {"suspended": True}, {"suspended": False}
            audit.record(None, "lift", "player", player_id, at=now, before=before, after=after)
            ended += 1
    return ended


def appeal(player_id: int, text: str) -> None:
    """Keep what a suspended player says about it. Raises BadInput, BadStart if they are not suspended."""
    text = text.strip()
    if not text:
        raise BadInput(appeal=_("Write your appeal first."))
    if len(text) > LONGEST_APPEAL:
        raise BadInput(appeal=_("Use at most %(most)s characters.", most=LONGEST_APPEAL))
    with write_tx():
        player = db.session.get(Player, player_id, with_for_update=True)
        if player is None or not player.suspended:
            raise BadStart(_("You’re not suspended from leaderboards."))
        player.appeal = text
