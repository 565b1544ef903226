"""Routes after a solve: share its replay, watch others', and vote on its puzzle."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.bank import votes
from webapp.competition.leaderboard import places
from webapp.models import Listing, Puzzle, Status
from webapp.play import play
from webapp.play.replays import replays
from webapp.play.replays.review_views import Review
from webapp.process.clock import now
from webapp.process.database import db
from webapp.process.errors import BadMove
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id
from webapp.web.htmx import Answer, wants_fragment

bp = Blueprint("replays", __name__)


@bp.post("/attempts/<attempt_id>/replay")
def show(attempt_id: str) -> Response:
    """Let others watch one's own solve once its daily has closed: `shown` yes or no."""
    wanted = request.form.get("shown", "")
    if wanted not in ("yes", "no"):
        raise BadMove(_("shown: expected yes or no, found “%(found)s”", found=wanted[:20]))
    attempt = replays.show(current_player_id(), attempt_id, now(), shown=wanted == "yes")
    assert attempt.daily is not None
    day = attempt.daily.date.isoformat()
    return redirect(
        url_for("leaderboard.show", date=day, level=attempt.daily.level, _anchor="my-replay"), 303
    )


@bp.get("/replays/<attempt_id>")
def watch(attempt_id: str) -> str:
    """Watch a solve after `?move=` moves or all, or at `?step=` of the solution path."""
    player_id = current_player_id()
    attempt = replays.replay(attempt_id, now())
    place = places.place(attempt)
    known, args = replays.knows(player_id, attempt.puzzle_id), request.args
    shown, step = args.get("move", type=int), args.get("step", type=int)
    return render_template(
        "play/replays/show.html" if known else "play/replays/ask.html",
        attempt=attempt,
        name=attempt.player.name if attempt.player.listing == Listing.NAMED else None,
        rank=place.rank_of_day,
        review=Review(attempt, shown, step, "replays.watch") if known else None,
    )


@bp.post("/replays/<attempt_id>/views")
def see(attempt_id: str) -> Response:
    """Watch a replay before solving its puzzle."""
    replays.see(current_player_id(), attempt_id, now())
    return redirect(url_for(".watch", attempt_id=attempt_id), 303)


@bp.post("/attempts/<attempt_id>/vote")
def vote(attempt_id: str) -> Answer:
    """Vote on the puzzle of one's own solve: `good` 1 or 0."""
    attempt = play.game(current_player_id(), attempt_id, now()).attempt
    votes.cast(attempt, now(), good=request.form.get("good") == "1")
    if wants_fragment():
        again = play.game(current_player_id(), attempt_id, now())
        return render_template("play/_vote.html", attempt=again.attempt)
    return redirect(url_for("play.review", attempt_id=attempt_id, _anchor="vote"), 303)


@bp.app_template_global()
def my_vote(puzzle_id: int) -> str | None:
    """Return this player's vote on a puzzle, `good`, `bad` or empty; None if nobody votes on it."""
    player_id = current_player_id()
    puzzle = db.session.get(Puzzle, puzzle_id)
    if player_id is None or puzzle is None or puzzle.status == Status.ENTERED:
        return None
    return {None: "", True: "good", False: "bad"}[votes.of_player(player_id, puzzle_id)]
