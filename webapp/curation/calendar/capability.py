"""The calendar: which puzzles become dailies."""

from __future__ import annotations

from webapp.capability import Capability, Link, Place, Right
from webapp.curation.calendar import routes, withdraw_routes
from webapp.process.words import gettext as _

CAPABILITY = Capability(
    key="calendar",
    places=(
        Place(routes.bp, Right.REVIEW, Right.EDIT),
        Place(withdraw_routes.bp, Right.REVIEW, Right.EDIT),
    ),
    links=(
        Link(
            "desk",
            "admin.calendar.show",
            lambda: _("Calendar"),
            position=4,
            covers=("admin.withdrawals",),
        ),
    ),
)
