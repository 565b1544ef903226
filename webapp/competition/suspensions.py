"""Suspensions: accounts that a curator keeps off all leaderboards, for a time or for good.

The solves return to the leaderboards when the suspension ends.
"""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from webapp.competition import standing
from webapp.identity import audit
from webapp.models import Player
from webapp.process.database import db, write_tx


def begin(player: Player, until: datetime | None, reason: str) -> None:
    """Inside `write_tx()`: take a player off all leaderboards, until then or for good."""
    player.suspended, player.suspended_until, player.suspension_reason = True, until, reason
    player.appeal = None
    standing.relist(player.id)


def answer(player: Player, words: str) -> None:
    """Inside `write_tx()`: answer a player's appeal below the reason; the suspension goes on."""
    player.suspension_reason = "\n".join(filter(None, (player.suspension_reason, words)))
    player.appeal = None


def end(player: Player) -> None:
    """Inside `write_tx()`: return a player to the leaderboards."""
    player.suspended, player.suspended_until, player.suspension_reason = False, None, None
    player.appeal = None
    standing.readmit(player.id)


def end_expired(now: datetime) -> int:
    """End expired suspensions. Returns how many."""
    over = sa.select(Player.id).where(Player.suspended, Player.suspended_until <= now).order_by(Player.id)
    ended = 0
    for player_id in db.session.scalars(over).all():
        with write_tx():
            still = sa.select(Player).where(
                Player.id == player_id, Player.suspended, Player.suspended_until <= now
            )
            player = db.session.scalar(still.with_for_update())
            if player is None:
                continue
            end(player)
            before, after = {"suspended": True}, {"suspended": False}
            audit.record(None, "lift", ("player", player_id), at=now, before=before, after=after)
            ended += 1
    return ended
