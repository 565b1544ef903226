"""The calendar: which puzzles become dailies, with drafts, themes and notes."""

from __future__ import annotations

from datetime import datetime

from webapp.capability import Capability, Link, Place, Records, Right
from webapp.curation.calendar import drafts, routes, withdraw_routes, withdrawing
from webapp.curation.calendar.planning import routes as planning_routes
from webapp.models import DailyDraft
from webapp.process.jobs import DAILY, STOCK, Job, work_through
from webapp.process.words import gettext as _


def expire(now: datetime) -> int:
    """Delete drafts that were not released in time."""
    drafts.expire(now)
    return 1


CAPABILITY = Capability(
    key="calendar",
    places=(
        Place(routes.bp, Right.REVIEW, Right.EDIT),
        Place(planning_routes.bp, Right.REVIEW, Right.EDIT),
        Place(withdraw_routes.bp, Right.REVIEW, Right.EDIT),
    ),
    links=(
        Link(
            "desk",
            "admin.calendar.show",
            lambda: _("Calendar"),
            position=4,
            covers=("admin.planning", "admin.withdrawals"),
        ),
    ),
    jobs=(
        Job("expire_drafts", DAILY, expire),
        Job("settle_withdrawn", STOCK, lambda now: work_through(withdrawing.settle(now))),
    ),
    records=(Records(DailyDraft, "daily_drafts", ("date", "level", "created_at"), {"puzzle": "puzzle_id"}),),
)
