"""Routes of notices at the desk: those that players see, a new one, the end of one."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for

from webapp.curation.messages import notices
from webapp.curation.team.access import curator
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.web.htmx import Answer
from webapp.web.inputs import read_day

bp = Blueprint("notices", __name__)


@bp.get("/notices")
def show() -> str:
    """Show the notices that players see, and a form for a new one."""
    return _page({})


@bp.post("/notices")
def publish() -> Answer:
    """Show `text` to all players until the end of the day `until`."""
    form = request.form
    try:
        notices.publish(curator(), form.get("text", ""), read_day(form.get("until", "")), now())
    except BadInput as error:
        return _page(error.fields), 422
    return redirect(url_for(".show", done="publish"), 303)


@bp.post("/notices/<int:notice_id>/end")
def end(notice_id: int) -> Answer:
    """End a notice."""
    notices.end(curator(), notice_id, now())
    return redirect(url_for(".show", done="end"), 303)


def _page(errors: dict[str, str]) -> str:
    return render_template(
        "curation/messages/notices.html",
        notices=notices.shown(now()),
        today=now().date(),
        errors=errors,
        form=request.form,
        done=request.args.get("done"),
    )
