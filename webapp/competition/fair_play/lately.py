"""A player's latest ranked solves, by whose habits the next one is judged."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from webapp.game.evidence.habits import SPAN, Habits
from webapp.models import Attempt, Standing
from webapp.process.database import db

# Those under review or removed, too: they are the player's, and the more harmless ones alone would hide them.
LISTED = (Standing.VERIFIED, Standing.REVIEW, Standing.REMOVED)


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier solve and what it showed."""

    attempt_id: str
    habits: Habits


def before(player_id: int, moment: datetime) -> list[Earlier]:
    """The latest solves that a player had finished by then, with the one at hand SPAN, the latest first.

    Up to the moment at which a curator last counted one of them: what they show together is cleared with it.
    """
    latest = (
        sa.select(*Attempt.__table__.c["id", "finished_at", "updated_at", "standing", "verdict", "evidence"])
        .where(
            Attempt.player_id == player_id,
            Attempt.ranked,
            Attempt.finished_at < moment,
            Attempt.standing.in_(LISTED),
        )
        .order_by(Attempt.finished_at.desc(), Attempt.id)
        .limit(SPAN - 1)
    )
    rows = db.session.execute(latest).all()
    cleared = [
        row.updated_at
        for row in rows
        if row.verdict is not None and row.standing == Standing.VERIFIED and row.updated_at < moment
    ]
    since = max(cleared, default=None)
    kept = [row for row in rows if since is None or row.finished_at > since]
    stored = [(row, json.loads(row.evidence or "{}").get("habits")) for row in kept]
    return [Earlier(row.id, Habits.read(habits)) for row, habits in stored if habits is not None]
