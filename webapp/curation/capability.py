"""The desk: five pages for curators, and what players see of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from webapp.bank import votes
from webapp.capability import Capability, Link, Panel, Place, Records, Right
from webapp.curation import access, calendar_routes
from webapp.curation.commands import desk_commands
from webapp.curation.people import notices, people_routes
from webapp.curation.puzzles import imports, making_routes, puzzle_routes
from webapp.curation.puzzles.tables import Import, Order
from webapp.curation.reports import PuzzleReport
from webapp.curation.today import today_routes
from webapp.identity import audit
from webapp.models import AuditEntry, PuzzleVote
from webapp.process.clock import now
from webapp.process.jobs import Retention
from webapp.process.words import gettext as _


def on_home(_about: Mapping[str, Any]) -> dict[str, Any] | None:
    """Show the current notices."""
    shown = notices.shown(now())
    return {"notices": shown} if shown else None


CAPABILITY = Capability(
    key="desk",
    pages=(today_routes.players_bp,),
    places=(
        Place(access.bp, Right.SEE, Right.SEE),
        Place(today_routes.bp, Right.SEE, Right.SEE),
        Place(today_routes.solve_bp, Right.MODERATE, Right.MODERATE),
        Place(today_routes.withdrawal_bp, Right.REVIEW, Right.EDIT),
        Place(calendar_routes.bp, Right.REVIEW, Right.EDIT),
        Place(puzzle_routes.bp, Right.REVIEW, Right.REVIEW),
        Place(puzzle_routes.export_bp, Right.EDIT, Right.EDIT),
        Place(making_routes.orders_bp, Right.REVIEW, Right.EDIT),
        Place(making_routes.imports_bp, Right.EDIT, Right.EDIT),
        Place(
            people_routes.bp,
            Right.SEE,
            Right.APPOINT,
            more={"admin.people.change": Right.MODERATE},
        ),
        Place(
            people_routes.settings_bp,
            Right.SEE,
            Right.SEE,
            more={"admin.settings.publish": Right.EDIT},
        ),
    ),
    links=(
        Link(
            "desk",
            "admin.today.show",
            lambda: _("Today"),
            position=1,
            icon="clock",
            covers=("admin.solves", "admin.withdrawals"),
        ),
        Link("desk", "admin.calendar.show", lambda: _("Calendar"), position=2, icon="today"),
        Link(
            "desk",
            "admin.puzzles.show",
            lambda: _("Puzzles"),
            position=3,
            icon="fill",
            covers=("admin.orders", "admin.imports"),
        ),
        Link("desk", "admin.people.show", lambda: _("People"), position=4, icon="player"),
        Link("desk", "admin.settings.show", lambda: _("Settings"), position=5, icon="settings"),
        Link("puzzle", "reports.form", lambda: _("Report this puzzle")),
    ),
    panels=(Panel("notices", "curation/_home.html", on_home),),
    workers=("webapp.curation.puzzles.worker",),
    retention=(
        Retention(
            "imports that wait for their columns",
            f"{imports.WAITS // timedelta(hours=1)} hours after the upload",
            imports.forget_waiting,
        ),
    ),
    commands=(desk_commands,),
    records=(
        Records(PuzzleReport, "puzzle_reports", ("text", "created_at"), {"puzzle": "puzzle_id"}),
        Records(PuzzleVote, "votes", ("good", "at"), {"puzzle": "puzzle_id"}, move=False),
        Records(Order, "orders", ("recipe", "count", "made", "state", "created_at")),
        Records(Import, "imports", ("name", "created_at", "state", "taken")),
        Records(AuditEntry, "desk_actions", ("at", "action", "subject", "subject_id")),
    ),
    merge=votes.merge,
    forget=audit.forget,
)
