"""Suspensions, and appeals against them or against the removal of a solve.

A curator keeps an account off all leaderboards, for a time or for good. The solves return to the leaderboards
when the suspension ends.
"""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from webapp.competition import standing
from webapp.identity import audit, texts
from webapp.models import Player, Standing
from webapp.process.database import db, write_tx
from webapp.process.errors import BadStart, NotFound
from webapp.process.words import gettext as _

LONGEST = 2000  # characters of an appeal


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


# Appeals


def appeal(player_id: int, text: str) -> None:
    """Store a suspended player's appeal. Raises BadInput, BadStart if they aren't suspended."""
    text = _checked(text)
    with write_tx():
        player = db.session.get(Player, player_id, with_for_update=True)
        if player is None or not player.suspended:
            raise BadStart(_("You’re not suspended from leaderboards."))
        player.appeal = text


def appeal_removal(player_id: int | None, attempt_id: str, text: str, now: datetime) -> None:
    """Store the appeal of a player whose solve was removed. Raises BadInput, BadStart, NotFound."""
    with write_tx():
        attempt = standing.locked_attempt(attempt_id)
        if attempt is None or attempt.player_id != player_id:
            raise NotFound(_("We couldn’t find that game."))
        if attempt.standing != Standing.REMOVED:
            raise BadStart(_("This solve isn’t removed."))
        attempt.appeal, attempt.updated_at = _checked(text), now


def _checked(text: str) -> str:
    return texts.checked("appeal", text, LONGEST, missing=_("Write your appeal first."), lines=True)
