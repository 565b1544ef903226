"""Notices to all players, and reports of puzzles by players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webapp.capability import Capability, Link, Panel, Place, Records, Right
from webapp.curation.messages import notice_routes, notices, report_routes, reports
from webapp.models import PuzzleReport
from webapp.process.clock import now
from webapp.process.words import gettext as _


def on_home(_about: Mapping[str, Any]) -> dict[str, Any] | None:
    """Show the current notices."""
    shown = notices.shown(now())
    return {"notices": shown} if shown else None


def beside_puzzle(about: Mapping[str, Any]) -> dict[str, Any] | None:
    """Show the reports of a puzzle on its page at the desk."""
    found = reports.of_puzzle(about["puzzle_id"])
    return {"reports": found} if found else None


CAPABILITY = Capability(
    key="messages",
    pages=(report_routes.players,),
    places=(
        Place(notice_routes.bp, Right.REVIEW, Right.EDIT),
        Place(report_routes.bp, Right.REVIEW, Right.REVIEW),
    ),
    links=(
        Link("desk", "admin.reports.show", lambda: _("Reports"), position=7, covers=("admin.notices",)),
        Link("puzzle", "reports.form", lambda: _("Report this puzzle")),
    ),
    panels=(
        Panel("notices", "curation/messages/_home.html", on_home),
        Panel("desk puzzle", "curation/messages/_reports.html", beside_puzzle),
    ),
    records=(Records(PuzzleReport, "puzzle_reports", ("text", "created_at"), {"puzzle": "puzzle_id"}),),
)
