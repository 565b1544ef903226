"""Play: games and their replays, entered puzzles, puzzle pages and print."""

from __future__ import annotations

from datetime import timedelta

from webapp.capability import Capability, Link, Records
from webapp.competition import logs
from webapp.models import Attempt, Peek
from webapp.play import entered_routes, games, puzzle_routes, routes
from webapp.play.replays import routes as replay_routes
from webapp.process.jobs import Job, Schedule, work_through
from webapp.process.words import gettext as _

PACKING = Schedule("packing", timedelta(hours=1))
MOST = timedelta(minutes=20)  # per run; the next hour continues

CAPABILITY = Capability(
    key="play",
    pages=(routes.bp, entered_routes.bp, puzzle_routes.bp, replay_routes.bp),
    tab="play.index",
    links=(
        Link(
            "main",
            "play.index",
            lambda: _("Play"),
            position=2,
            icon="fill",
        ),
    ),
    jobs=(Job("pack", PACKING, lambda now: work_through(logs.pack_finished(now), MOST)),),
    records=(Records(Attempt, move=False), Records(Peek, move=False)),
    exported=games.exported,
    merge=games.merge,
    forget=games.forget,
)
