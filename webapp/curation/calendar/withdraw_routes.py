"""Routes of withdrawals: a released daily, its withdrawal with a reason and a replacement, and the undo."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, redirect, render_template, request, url_for

from webapp.competition.daily import withdrawing
from webapp.competition.daily.schedule import Seen
from webapp.curation import curation
from webapp.curation.calendar.views import CardView
from webapp.curation.team.access import curator, may_use
from webapp.process.clock import now
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _
from webapp.web.htmx import Answer
from webapp.web.inputs import read_day, row_number

bp = Blueprint("withdrawals", __name__)


@bp.get("/withdrawals/<text>/<int:level>")
def show(text: str, level: int) -> Answer:
    """Show a released daily with the form to withdraw it, or why it was withdrawn and the undo."""
    return _page(_day(text), level)


@bp.post("/withdrawals/<text>/<int:level>")
def withdraw(text: str, level: int) -> Answer:
    """Withdraw it: `reason`; `replacement`, a puzzle as id or id:version, or `other`, its number, or neither;
    `seen`, the puzzle there.
    """
    day, form = _day(text), request.form
    try:
        choice = form.get("other", "").strip() or form.get("replacement", "")
        number, version = _choice(choice) if choice else (None, None)
        seen = Seen(day, level, row_number(form.get("seen", "")))
        withdrawing.withdraw(curator(), seen, form.get("reason", ""), number, now(), version=version)
    except Changed as error:
        return _page(day, level, {"changed": str(error)}), 409
    except BadInput as error:
        return _page(day, level, error.fields), 422
    return redirect(url_for(".show", text=text, level=level, done="withdraw"), 303)


@bp.post("/withdrawals/<text>/<int:level>/undo")
def undo(text: str, level: int) -> Answer:
    """Undo the withdrawal of the last day; `seen`, the puzzle there."""
    day = _day(text)
    try:
        withdrawing.undo(curator(), Seen(day, level, row_number(request.form.get("seen", ""))), now())
    except Changed as error:
        return _page(day, level, {"changed": str(error)}), 409
    except BadInput as error:
        return _page(day, level, error.fields), 422
    return redirect(url_for(".show", text=text, level=level, done="undo"), 303)


def _day(text: str) -> date:
    day = read_day(text)
    if day is None:
        raise NotFound(_("“%(found)s” isn’t a date. Try one like 2026-03-01.", found=text[:20]))
    return day


def _choice(text: str) -> tuple[int, int | None]:
    number, colon, version = text.removeprefix("#").partition(":")
    puzzle_id, seen = row_number(number), row_number(version) if colon else None
    if puzzle_id is None or (colon and seen is None):
        message = _("%(name)s: expected a number, found “%(found)s”", name="replacement", found=text[:20])
        raise BadInput(replacement=message)
    return puzzle_id, seen


def _page(day: date, level: int, errors: dict[str, str] | None = None) -> str:
    at = now()
    daily = withdrawing.released(day, level, at)
    edits = may_use("admin.withdrawals.withdraw", write=True)
    choice = [puzzle.id for puzzle in withdrawing.replacements(day, level, at)] if edits else []
    curation.saw(curator().id, [daily.puzzle_id, *choice], at)
    daily = withdrawing.released(day, level, at)  # reloaded: recording the visit ended the transaction
    return render_template(
        "curation/calendar/withdrawal.html",
        daily=daily,
        card=CardView(daily.puzzle),
        players=curation.starts(daily.puzzle_id),
        undoable=withdrawing.undoable(daily, at),
        until=None if daily.withdrawn_at is None else daily.withdrawn_at + withdrawing.UNDO,
        choice=[CardView(puzzle) for puzzle in curation.puzzles(choice)],
        edits=edits,
        errors=errors or {},
        form=request.form,
        done=request.args.get("done"),
    )
