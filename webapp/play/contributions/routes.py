"""Routes of submissions: submit a puzzle, and follow one's own submissions."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for

from webapp.play.contributions import submissions
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.web.auth import named_player
from webapp.web.htmx import Answer

bp = Blueprint("offers", __name__)


@bp.get("/submissions")
def show() -> Answer:
    """Show the form, with the puzzle of `?grid=`, and the player's submissions."""
    return _page({}, request.args.get("grid", "")[:2000], "")


@bp.post("/submissions")
def offer() -> Answer:
    """Submit a puzzle: `grid` in any format, and `title`."""
    form = request.form
    try:
        submissions.offer(named_player().id, form.get("grid", ""), form.get("title", ""), now())
    except BadInput as error:
        return _page(error.fields, form.get("grid", ""), form.get("title", "")), 422
    return redirect(url_for(".show", done=1), 303)


@bp.post("/submissions/<int:submission_id>/removal")
def withdraw(submission_id: int) -> Answer:
    """Withdraw an undecided submission."""
    submissions.withdraw(named_player().id, submission_id)
    return redirect(url_for(".show"), 303)


def _page(errors: dict[str, str], grid: str, title: str) -> str:
    return render_template(
        "play/contributions/submissions.html",
        submissions=submissions.of(named_player().id),
        longest=submissions.LONGEST_TITLE,
        errors=errors,
        grid=grid,
        title=title,
        done=request.args.get("done") == "1",
    )
