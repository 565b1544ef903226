"""Readers' votes: two small buttons after a solve, one vote per player and puzzle."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for

from webapp.bank import votes
from webapp.models import Puzzle, Status
from webapp.play import play
from webapp.process.clock import now
from webapp.process.database import db
from webapp.web.auth import current_player_id
from webapp.web.htmx import Answer, wants_fragment

bp = Blueprint("votes", __name__)


@bp.post("/attempts/<attempt_id>/vote")
def cast(attempt_id: str) -> Answer:
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
