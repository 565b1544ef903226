"""Leaderboards: rankings of each daily, of weeks and of all time, and suspensions from them."""

from __future__ import annotations

from webapp.capability import Capability, Link, Records
from webapp.competition import suspensions
from webapp.competition.leaderboard import routes
from webapp.competition.ranking import freezing, placing
from webapp.models import Score
from webapp.process.jobs import DAILY, Job, Retention, stopping
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
    jobs=(
        Job("freeze_boards", DAILY, lambda now: freezing.freeze(now, stopping().is_set)),
        Job("estimate_points", DAILY, lambda _now: freezing.estimate(stopping().is_set)),
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
    merge=lambda _guest_id, into_id: placing.settle_player(into_id),
    forget=placing.unlist,
)
