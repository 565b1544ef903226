"""Results of puzzle rush at the desk: removed from its leaderboard with a reason, and restored.

Owns its transactions.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa

from webapp.curation.moderation.moderation import VERDICTS, reason_for
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import RushRun, Standing
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _

MOST_LISTED = 20  # runs of a player


def runs(player_id: int, now: datetime) -> Sequence[RushRun]:
    """Return a player's best finished runs, including removed ones."""
    theirs = sa.select(RushRun).where(
        RushRun.player_id == player_id, RushRun.ends_at <= now, RushRun.right > 0
    )
    return db.session.scalars(theirs.order_by(RushRun.right.desc(), RushRun.id).limit(MOST_LISTED)).all()


def standing(run: RushRun) -> Standing:
    """Return whether a run counts, as the standing of a solve."""
    return Standing.REMOVED if run.removed else Standing.VERIFIED


def record_verdict(
    curator: Identity, player_id: int, run_id: int | None, seen: str, verdict: str, note: str, now: datetime
) -> None:
    """Record a curator's verdict on a run and its reason. Raises BadInput, Changed, NotFound."""
    if verdict not in VERDICTS:
        raise BadInput(standing=_("Choose whether the run counts."))
    note = reason_for(note)
    with write_tx():
        this = sa.select(RushRun).where(
            RushRun.id == run_id, RushRun.player_id == player_id, RushRun.ends_at <= now
        )
        run = db.session.scalar(this.with_for_update())
        if run is None:
            raise NotFound(_("We couldn’t find that run."))
        if player_id == curator.id:
            raise BadInput(standing=_("This is your own run. Another curator has to decide."))
        if standing(run) != seen:
            raise Changed(_("Another curator changed this run while you were looking."), run.id)
        before = {"standing": str(standing(run)), "verdict": run.verdict}
        run.removed, run.verdict = verdict == Standing.REMOVED, note
        after = {"standing": verdict, "verdict": note, "right": run.right}
        audit.record(curator, "judge", ("player", player_id), at=now, before=before, after=after, note=note)
