"""Appeals: what players say against a suspension, or against the removal of a solve."""

from __future__ import annotations

from datetime import datetime

from webapp.competition import standing
from webapp.identity import texts
from webapp.models import Player, Standing
from webapp.process.database import db, write_tx
from webapp.process.errors import BadStart, NotFound
from webapp.process.words import gettext as _

LONGEST = 2000  # characters


def against_suspension(player_id: int, text: str) -> None:
    """Store a suspended player's appeal. Raises BadInput, BadStart if they aren't suspended."""
    text = _checked(text)
    with write_tx():
        player = db.session.get(Player, player_id, with_for_update=True)
        if player is None or not player.suspended:
            raise BadStart(_("You’re not suspended from leaderboards."))
        player.appeal = text


def against_removal(player_id: int | None, attempt_id: str, text: str, now: datetime) -> None:
    """Store the appeal of a player whose solve was removed. Raises BadInput, BadStart, NotFound."""
    with write_tx():
        attempt = standing.held(attempt_id)
        if attempt is None or attempt.player_id != player_id:
            raise NotFound(_("We couldn’t find that game."))
        if attempt.standing != Standing.REMOVED:
            raise BadStart(_("This solve isn’t removed."))
        attempt.appeal, attempt.updated_at = _checked(text), now


def _checked(text: str) -> str:
    return texts.checked("appeal", text, LONGEST, missing=_("Write your appeal first."), lines=True)
