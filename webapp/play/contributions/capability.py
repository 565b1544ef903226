"""Collections of puzzles, and puzzles that players submit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from webapp.capability import Capability, Link, Panel, Records
from webapp.models import Attempt, Puzzle, Status, Submission
from webapp.play.contributions import collection_routes, collections, decision_mail, routes, submissions
from webapp.play.ownership import drop_unplayed
from webapp.process.database import db
from webapp.process.jobs import MAIL, Job, work_through
from webapp.process.words import gettext as _


def forget(player_id: int) -> None:
    """Remove the titles from a player's submissions, and delete those that nobody else can get or played."""
    own = sa.select(Submission.puzzle_id).where(Submission.player_id == player_id)
    submitted = list(db.session.scalars(own))
    db.session.execute(sa.update(Puzzle).where(Puzzle.id.in_(submitted)).values(title=None))
    closed = Puzzle.status.in_((Status.CANDIDATE, Status.REJECTED))
    closed_ids = list(db.session.scalars(sa.select(Puzzle.id).where(Puzzle.id.in_(submitted), closed)))
    games = sa.delete(Attempt).where(Attempt.player_id == player_id, Attempt.puzzle_id.in_(closed_ids))
    db.session.execute(games)
    drop_unplayed(closed_ids)


def next_in_series(puzzle_id: int, player_id: int, now: datetime) -> tuple[int, str] | None:
    """Return the puzzle after this one in its collection, and the label of its button."""
    found = collections.following(puzzle_id, player_id, now)
    if found is None:
        return None
    collection, item = found
    return item.puzzle.id, _("Next in “%(title)s”", title=collection.title)


def on_profile(about: Mapping[str, Any]) -> dict[str, Any] | None:
    """Show the collections that a player has begun."""
    begun = collections.begun(about["player_id"], about["viewer_id"], about["now"])
    return {"collections": begun} if begun else None


CAPABILITY = Capability(
    key="collections",
    optional=True,
    tab="play.index",
    pages=(routes.bp, collection_routes.bp),
    jobs=(Job("send_decisions", MAIL, lambda now: work_through(decision_mail.sent(now))),),
    links=(
        Link("play", "collections.index", lambda: _("Collections"), position=1),
        Link("submit", "offers.show", lambda: _("Submit")),
    ),
    panels=(Panel("profile", "play/contributions/_profile.html", on_profile),),
    hooks={
        "author of a puzzle": submissions.author_of,
        "next in a series": next_in_series,
        "submissions waiting": submissions.waiting,
        "submissions since": submissions.since,
        "submitters of puzzles": submissions.submitters,
        "is a submission of": submissions.is_of,
    },
    records=(Records(Submission, "submissions", (), {"puzzle": "puzzle_id", "at": "created_at"}),),
    forget=forget,
)
