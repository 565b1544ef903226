"""Today, a solve with its verdict, withdrawals, and the form in which players report a puzzle."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, redirect, render_template, request, url_for

from webapp.bank import bank
from webapp.capability import Right
from webapp.competition.daily import choosing, schedule, withdrawing
from webapp.competition.daily.slots import Seen
from webapp.curation import log, reports
from webapp.curation.access import RIGHTS, curator, may_use
from webapp.curation.people import players
from webapp.curation.puzzles import puzzles
from webapp.curation.today import solves, today
from webapp.identity import audit, limits
from webapp.models.daily import today as day_of
from webapp.play.replays.review_views import Review
from webapp.process.clock import now
from webapp.process.errors import BadInput, Changed, NotFound, NotYourRole
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id
from webapp.web.htmx import Answer
from webapp.web.inputs import read_day, row_number

bp = Blueprint("today", __name__)
solve_bp = Blueprint("solves", __name__)
withdrawal_bp = Blueprint("withdrawals", __name__)
players_bp = Blueprint("reports", __name__)


@bp.get("/")
def show() -> str:
    """Show what is out and what waits; `?boards=1` shows the givens, `?done=` an act with its undo."""
    return _today("")


@bp.post("/waiting")
def act() -> Answer:
    """Answer what waits: its `kind`, `key` and `seen`; or undo acts with `undo`, log entries."""
    form = request.form
    try:
        if "undo" in form:
            today.undo(curator(), _numbers(form["undo"]), now())
            return redirect(url_for(".show"), 303)
        kind = form.get("kind", "")
        if today.RIGHTS.get(kind, Right.SEE) not in RIGHTS[curator().role or ""]:
            raise NotYourRole(_("Your role doesn’t include this. Ask an administrator if you need it."))
        entries = today.act(curator(), kind, form.get("key", ""), form.get("seen", ""), now())
    except Changed as error:
        return _today(str(error)), 409
    except BadInput as error:
        return _today(str(error)), 422
    return redirect(url_for(".show", done=",".join(str(entry.id) for entry in entries)), 303)


def _numbers(text: str) -> list[int]:
    return [number for number in map(row_number, text.split(",")[:10]) if number is not None]


def _today(wrong: str) -> str:
    at, person = now(), curator()
    rights = RIGHTS[person.role or ""]
    if request.args.get("boards") == "1":
        out = schedule.between(day_of(at), day_of(at))
        puzzles.saw(person.id, [daily.puzzle_id for daily in out.values()], at)
    done = today.done(person, _numbers(request.args.get("done", "")), at)
    first = day_of(at)
    return render_template(
        "curation/today.html",
        today=first,
        cards=(cards := today.cards(person, at)),
        hidden=not all(card["shown"] for card in cards),
        items=today.waiting(rights, at),
        gaps=len(schedule.gaps(first, first + schedule.AHEAD, at)),
        days=schedule.AHEAD.days,
        done=",".join(str(entry.id) for entry in done),
        said=today.said(done),
        wrong=wrong,
    )


# Solves


@solve_bp.get("/solves/<attempt_id>", endpoint="show")
def show_solve(attempt_id: str) -> str:
    """Show a solve: its replay after `?move=` moves, the rules that flagged it, and the verdict.

    A curator who opens it can no longer play its puzzle ranked.
    """
    return _solve(attempt_id)


@solve_bp.post("/solves/<attempt_id>")
def judge(attempt_id: str) -> Answer:
    """Decide on a solve: `standing` verified or removed, `note` for the player, `seen` as on the page."""
    form = request.form
    fields = (form.get("seen", ""), form.get("standing", ""), form.get("note", ""))
    try:
        entry = solves.judge(curator(), attempt_id, *fields, now())
    except Changed as error:
        return _solve(attempt_id, {"changed": str(error)}), 409
    except BadInput as error:
        return _solve(attempt_id, error.fields), 422
    return redirect(url_for("admin.today.show", done=entry.id), 303)


def _solve(attempt_id: str, errors: dict[str, str] | None = None) -> str:
    puzzles.saw(curator().id, [solves.solve(attempt_id).puzzle_id], now())
    attempt = solves.solve(attempt_id)  # reloaded: recording the visit ended the transaction
    shown, step = request.args.get("move", type=int), request.args.get("step", type=int)
    return render_template(
        "curation/solve.html",
        attempt=attempt,
        review=Review(attempt, shown, step, "admin.solves.show"),
        seen=solves.mark(attempt),
        doubts=solves.doubts(attempt),
        original=solves.original(attempt),
        waits=solves.waits(attempt),
        errors=errors or {},
        note=request.form.get("note", "")[: players.LONGEST_NOTE],
        history=log.rows(audit.history("attempt", attempt_id)),
    )


# Withdrawals


@withdrawal_bp.get("/withdrawals/<text>/<int:level>", endpoint="show")
def show_withdrawal(text: str, level: int) -> Answer:
    """Show a released daily and its replacement with the form to withdraw it, or why it was and the undo."""
    return _withdrawal(_day(text), level)


@withdrawal_bp.post("/withdrawals/<text>/<int:level>")
def withdraw(text: str, level: int) -> Answer:
    """Withdraw it: `reason`, `replacement` (a puzzle, or nothing) and `seen`, the puzzle there; or `undo`."""
    day, form, person = _day(text), request.form, curator()
    seen = Seen(day, level, row_number(form.get("seen", "")))
    try:
        if form.get("undo") == "1":
            withdrawing.undo(person, seen, now())
        else:
            number = form.get("replacement", "").strip().removeprefix("#")
            chosen = row_number(number) if number else None
            if number and chosen is None:
                raise BadInput(replacement=_("“%(found)s” isn’t a valid number here.", found=number[:20]))
            withdrawing.withdraw(person, seen, form.get("reason", ""), chosen, now())
    except Changed as error:
        return _withdrawal(day, level, {"changed": str(error)}), 409
    except BadInput as error:
        return _withdrawal(day, level, error.fields), 422
    return redirect(url_for("admin.withdrawals.show", text=text, level=level), 303)


def _day(text: str) -> date:
    day = read_day(text)
    if day is None:
        raise NotFound(_("“%(found)s” isn’t a date. Try one like 2026-03-01.", found=text[:20]))
    return day


def _withdrawal(day: date, level: int, errors: dict[str, str] | None = None) -> str:
    if level not in bank.LEVELS:
        raise NotFound(_("There’s no released daily at this level that day."))
    at, person = now(), curator()
    found = withdrawing.released(day, level, at)
    edits = may_use("admin.withdrawals.withdraw", write=True)
    best = choosing.replacement(day, level, at) if edits else None
    choice = [] if best is None else [best.id]
    puzzles.saw(person.id, [found.puzzle_id, *choice], at)
    daily = withdrawing.released(day, level, at)  # reloaded: recording the visit ended the transaction
    return render_template(
        "curation/withdrawal.html",
        daily=daily,
        players=puzzles.starts(daily.puzzle_id),
        undoable=withdrawing.undoable(daily, at),
        until=None if daily.withdrawn_at is None else daily.withdrawn_at + withdrawing.UNDO,
        replacement=next(iter(puzzles.puzzles(choice)), None),
        edits=edits,
        errors=errors or {},
        form=request.form,
    )


# Players


@players_bp.get("/puzzles/<int:puzzle_id>/report")
def form(puzzle_id: int) -> str:
    """Show the form to report a puzzle, or the thanks for a report."""
    return _form(puzzle_id, {})


@players_bp.post("/puzzles/<int:puzzle_id>/report")
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
        "curation/report.html",
        puzzle=reports.puzzle_of(puzzle_id, now()),
        errors=errors,
        text=request.form.get("text", "")[: reports.LONGEST],
        done=request.args.get("done") == "1",
    )
