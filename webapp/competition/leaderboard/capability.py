"""Leaderboards: rankings of each daily, of weeks and of all time, and suspensions from them."""

from __future__ import annotations

from webapp.capability import Capability, Link, Records
from webapp.competition import standing, suspensions
from webapp.competition.leaderboard import routes
from webapp.models import Score
from webapp.process.jobs import Retention
from webapp.process.words import gettext as _

CAPABILITY = Capability(
    key="leaderboard",
    pages=(routes.bp,),
    links=(
        Link(
            "main",
            "leaderboard.show",
            lambda: _("Leaderboard"),
            position=4,
            icon="ranks",
        ),
    ),
    retention=(
        Retention(
            "suspensions that are over",
            "when they end; the audit log keeps them",
            suspensions.end_expired,
        ),
    ),
    # Scores follow from the games: they are recomputed for the account.
    records=(Records(Score, "scores", ("scope", "starts_on", "level", "points", "solves"), move=False),),
    merge=lambda _guest_id, into_id: standing.relist(into_id),
)
