"""Routes of reports: the form for players, and the list for curators."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for

from webapp.curation.messages import reports
from webapp.curation.team.access import curator
from webapp.identity import limits
from webapp.process.clock import now
from webapp.process.errors import BadInput, Changed
from webapp.web.auth import current_player_id
from webapp.web.htmx import Answer

players = Blueprint("reports", __name__)
bp = Blueprint("reports", __name__)


@players.get("/puzzles/<int:puzzle_id>/report")
def form(puzzle_id: int) -> str:
    """Show the form to report a puzzle, or the thanks for a report."""
    return _form(puzzle_id, {})


@players.post("/puzzles/<int:puzzle_id>/report")
def send(puzzle_id: int) -> Answer:
    """Report a puzzle: `text` says what is wrong with it."""
    network = limits.network(request.remote_addr)
    try:
        reports.send(puzzle_id, current_player_id(), network, request.form.get("text", ""), now())
    except BadInput as error:
        return _form(puzzle_id, error.fields), 422
    return redirect(url_for(".form", puzzle_id=puzzle_id, done=1), 303)


def _form(puzzle_id: int, errors: dict[str, str]) -> str:
    return render_template(
        "curation/messages/report.html",
        puzzle=reports.puzzle_of(puzzle_id, now()),
        errors=errors,
        text=request.form.get("text", "")[: reports.LONGEST],
        done=request.args.get("done") == "1",
    )


@bp.get("/reports")
def show() -> str:
    """Show the open reports."""
    return _list()


@bp.post("/reports/<int:report_id>/closing")
def close(report_id: int) -> Answer:
    """Close a report."""
    try:
        puzzle_id = reports.close(curator(), report_id, now())
    except Changed as error:
        return _list(str(error)), 409
    if request.form.get("back") == "puzzle":
        return redirect(url_for("admin.puzzles.show", puzzle_id=puzzle_id, _anchor="reports"), 303)
    return redirect(url_for(".show"), 303)


def _list(changed: str | None = None) -> str:
    return render_template("curation/messages/reports.html", reports=reports.waiting(), changed=changed)
