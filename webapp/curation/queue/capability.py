"""The desk's queue: review, search, compare and vary candidates."""

from __future__ import annotations

from webapp.capability import Capability, Link, Place, Records, Right
from webapp.curation.queue import puzzle_routes, routes
from webapp.models import PuzzleComment, SavedSearch
from webapp.process.words import gettext as _

CAPABILITY = Capability(
    key="queue",
    places=(
        Place(routes.bp, Right.REVIEW, Right.REVIEW),
        Place(puzzle_routes.bp, Right.REVIEW, Right.REVIEW, more={"admin.puzzles.vary": Right.EDIT}),
    ),
    links=(Link("desk", "admin.queue.show", lambda: _("Queue"), position=1, covers=("admin.puzzles",)),),
    records=(
        Records(SavedSearch, "saved_searches", ("name", "query")),
        Records(PuzzleComment, "comments", ("text", "at"), {"puzzle": "puzzle_id"}),
    ),
)
