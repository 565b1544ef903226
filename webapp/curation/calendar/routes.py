"""Routes of the calendar: a month of dailies, and the puzzles that fit one of its slots."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import wraps

from flask import Blueprint, make_response, redirect, render_template, request

from webapp.competition.daily import dailies, schedule
from webapp.competition.daily.schedule import Seen
from webapp.curation import curation
from webapp.curation.calendar import months
from webapp.curation.calendar.views import CalendarView, Outcome, Place
from webapp.curation.team.access import curator, may_use
from webapp.process.clock import now
from webapp.process.errors import BadAddress, BadInput, Changed, NotFound
from webapp.process.words import gettext as _
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.inputs import read_day, read_month, row_number

bp = Blueprint("calendar", __name__)

Work = Callable[[], tuple[Place, Outcome]]


@bp.get("/calendar")
def show() -> Answer:
    """Show a `?month=`, or `?date=&level=`, a slot to choose for; and `?puzzle=`, a puzzle to choose a day
    for.
    """
    args = request.args
    try:
        place = Place(
            month=_month(args["month"]) if "month" in args else None,
            day=_day("date", args["date"]) if "date" in args else None,
            level=_number("level", args["level"]) if "level" in args else None,
            puzzle=_choice(args["puzzle"])[0] if "puzzle" in args else None,
        )
    except BadInput as error:
        raise BadAddress(str(error)) from None
    return _page(place, Outcome.read(args.get("said", "")))


def _answered(work: Work) -> Callable[[], Answer]:
    """Redirect to the result of a change, or show the form's page with the reason for the refusal."""

    @wraps(work)
    def answer() -> Answer:
        try:
            place, outcome = work()
        except Changed as error:
            return _page(_place_before(), Outcome.refused(error)), 409
        except BadInput as error:
            return _page(_place_before(), Outcome.refused(error)), 422
        address = place.address()
        if not wants_fragment():
            return redirect(f"{address}&said={outcome.text}", 303)
        response = make_response(_page(place, outcome))
        response.headers["HX-Push-Url"] = address
        return response

    return answer


@bp.post("/calendar")
@_answered
def assign() -> tuple[Place, Outcome]:
    """Schedule a `puzzle` (id or id:version) on `date` and `level`; `instead`: the one there."""
    day, level = _slot()
    (number, version), seen = _choice(request.form.get("puzzle", "")), _seen("instead")
    schedule.assign(curator(), Seen(day, level, seen), number, now(), version=version)
    coming = None if request.form.get("undo") else months.following_gap(day, level, now())
    return Place(day=coming or day, level=level), Outcome.assigned(number, day, level, seen)


@bp.post("/calendar/removals")
@_answered
def take_off() -> tuple[Place, Outcome]:
    """Clear the slot of `date` and `level`; `instead` is the puzzle there, which returns to the bank."""
    day, level = _slot()
    old = _seen("instead")
    schedule.unassign(curator(), Seen(day, level, old), now())
    return Place(day=day, level=level), Outcome.taken_off(day, level, old or 0)


@bp.post("/calendar/moves")
@_answered
def move() -> tuple[Place, Outcome]:
    """Move or swap the puzzle of `date` and `level` (`instead`) to the day `to`, which showed `there`.

    A form without `there` swaps with any puzzle on the other day.
    """
    day, level = _slot()
    to = _day("to", request.form.get("to", ""))
    standing = months.slot(to, level, now()).daily
    there = None if standing is None else standing.puzzle_id
    if "there" in request.form:
        there = _seen("there")
    here, other = Seen(day, level, _seen("instead")), Seen(to, level, there)
    schedule.move(curator(), here, other, now())
    return Place(day=to, level=level), Outcome.moved(day, to, level, _seen("instead") or 0, there)


@bp.post("/calendar/fillings")
@_answered
def fill() -> tuple[Place, Outcome]:
    """Fill the gaps of a `month`."""
    first = _month(request.form.get("month", ""))
    last = months.month(first, now()).rows[-1][0].day
    filled = schedule.fill(curator(), first, last, now())
    return Place(month=first), Outcome.filled(filled.ids, filled.left)


@bp.post("/calendar/fillings/undos")
@_answered
def unfill() -> tuple[Place, Outcome]:
    """Undo a filling: `daily`, repeated."""
    numbers = [_number("daily", text) for text in request.form.getlist("daily")]
    days = schedule.unfill(curator(), numbers, now())
    return Place(month=min(days).replace(day=1) if days else None), Outcome.unfilled(len(days))


def _page(place: Place, outcome: Outcome) -> str:
    at = now()
    slot = placed = None
    edits = may_use("admin.calendar.assign", write=True)
    if place.day is not None and place.level is not None:
        slot = months.slot(place.day, place.level, at)
    if edits and place.puzzle is not None:
        try:
            placed = schedule.free(place.puzzle)
        except BadInput as error:
            outcome = Outcome.refused(error)
    month = place.day.replace(day=1) if place.day is not None else place.month
    view = CalendarView(
        months.month(month or dailies.today(at).replace(day=1), at),
        slot,
        placed,
        outcome,
        at,
    )
    if edits:
        view.offer()
    curation.saw(curator().id, [puzzle.id for puzzle in view.shown], at)
    template = "curation/calendar/_calendar.html" if wants_fragment() else "curation/calendar/calendar.html"
    return render_template(template, calendar=view)


def _place_before() -> Place:
    """Return the form's slot if the calendar has it, else its month, else this month."""
    form = request.form
    try:
        day, level = _slot()
        months.slot(day, level, now())
        return Place(day=day, level=level, puzzle=row_number(form.get("placing", "")))
    except BadInput:
        pass
    month = read_month(form.get("month", ""))
    try:
        return Place(month=months.month(month, now()).first) if month is not None else Place()
    except NotFound:
        return Place()


# Parsing of forms and addresses; each raises BadInput with the field's name.


def _slot() -> tuple[date, int]:
    form = request.form
    return _day("date", form.get("date", "")), _number("level", form.get("level", ""))


def _day(field: str, text: str) -> date:
    day = read_day(text)
    if day is None:
        message = _("%(name)s: expected one like 2026-03-01, found “%(found)s”", name=field, found=text[:20])
        raise BadInput(**{field: message})
    return day


def _month(text: str) -> date:
    month = read_month(text)
    if month is None:
        raise BadInput(month=_("month: expected one like 2026-03, found “%(found)s”", found=text[:20]))
    return month


def _number(field: str, text: str) -> int:
    number = row_number(text)
    if number is None:
        message = _("%(name)s: expected a number, found “%(found)s”", name=field, found=text[:20])
        raise BadInput(**{field: message})
    return number


def _choice(text: str) -> tuple[int, int | None]:
    number, colon, version = text.strip().removeprefix("#").partition(":")
    return _number("puzzle", number), _number("puzzle", version) if colon else None


def _seen(field: str) -> int | None:
    """Return the puzzle that the curator saw on a day; None for a gap."""
    text = request.form.get(field, "")
    return _number(field, text) if text else None
