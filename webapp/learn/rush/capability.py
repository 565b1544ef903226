"""Puzzle rush: as many positions as possible in a few minutes."""

from __future__ import annotations

from webapp.capability import Capability, Link, Panel, Records
from webapp.learn.rush import routes, rush
from webapp.models import RushRun
from webapp.process.jobs import Retention
from webapp.process.words import gettext as _

CAPABILITY = Capability(
    key="rush",
    optional=True,
    tab="lessons.index",
    pages=(routes.bp,),
    links=(Link("practice", "rush.index", lambda: _("Puzzle rush")),),
    panels=(Panel("privacy: games", "learn/rush/_privacy.html", lambda _about: {"days": rush.KEPT.days}),),
    retention=(
        Retention(
            "runs of puzzle rush, except each player's best",
            f"{rush.KEPT.days} days after they ended",
            rush.prune,
        ),
    ),
    records=(
        Records(RushRun, "rush", ("started_at", "ends_at", "right", "wrong", "misses", "removed", "verdict")),
    ),
)
