"""Routes of the calendar: a month of dailies, and the puzzles that fit one of its slots."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import wraps

from flask import Blueprint, current_app, make_response, redirect, render_template, request, session
from werkzeug.wrappers import Response

from webapp.competition.daily import dailies
from webapp.curation import curation
from webapp.curation.calendar import calendar, drafts, filling, months
from webapp.curation.calendar.calendar import SlotChoice
from webapp.curation.calendar.drafts import Key
from webapp.curation.calendar.views import AUTOMATIC, BY_HAND, CalendarView, Drafting, Outcome, Place
from webapp.curation.team.access import curator, desk_page, may_use
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.errors import BadAddress, BadInput, Changed, NotFound
from webapp.process.words import gettext as _
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.inputs import read_day, read_month, row_number

bp = Blueprint("calendar", __name__)

DRAFTING = "drafting"  # session key: whether this browser drafts
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
            puzzle=_choice(args["puzzle"]).id if "puzzle" in args else None,
            sort=args.get("sort", "number"),
            page=args.get("page", 1, type=int),
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
            return _page(_place_before(), Outcome.refused(error, request.form)), 409
        except BadInput as error:
            return _page(_place_before(), Outcome.refused(error, request.form)), 422
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
    """Schedule a `puzzle` (id or id:version) on `date` and `level`; `instead`: the one there; `sure=1`
    confirms.

    While drafting, `instead` is the draft's puzzle, if there is a draft. `undo`: AUTOMATIC or BY_HAND, how
    the restored puzzle had been chosen.
    """
    day, level = _slot()
    choice = _choice(request.form.get("puzzle", ""))
    seen, drafting, undo = _seen("instead"), _drafting(), request.form.get("undo")
    picked = _picked(day, level)
    drafts.schedule(
        curator(),
        calendar.SeenSlot(day, level, seen),
        choice,
        now(),
        sure=_sure(),
        drafting=drafting,
        by_hand=undo != AUTOMATIC,
    )
    if drafting:
        return Place(day=day, level=level), Outcome.drafted(choice.id, day, level)
    coming = None if undo else months.following_gap(day, level, now())
    return Place(day=coming or day, level=level), Outcome.assigned(choice.id, day, level, seen, picked)


@bp.post("/calendar/removals")
@_answered
def take_off() -> tuple[Place, Outcome]:
    """Clear the slot of `date` and `level`; `instead` is the puzzle there, which returns to the bank."""
    day, level = _slot()
    old, picked = _seen("instead"), _picked(day, level)
    calendar.unassign(curator(), day, level, old, now())
    return Place(day=day, level=level), Outcome.taken_off(day, level, old or 0, picked)


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
    here, other = calendar.SeenSlot(day, level, _seen("instead")), calendar.SeenSlot(to, level, there)
    calendar.move(curator(), here, other, now(), sure=_sure())
    return Place(day=to, level=level), Outcome.moved(day, to, level, _seen("instead") or 0, there)


@bp.post("/calendar/mode")
def switch() -> Response:
    """Turn drafting on (`drafting=1`: this browser's changes become drafts) or off (they take effect at
    once).
    """
    session[DRAFTING] = request.form.get("drafting") == "1"
    return redirect(desk_page(request.form.get("back")), 303)


@bp.post("/calendar/drafts/removals")
@_answered
def undraft() -> tuple[Place, Outcome]:
    """Delete the draft of `date` and `level`; `drafted` is its puzzle."""
    day, level = _slot()
    drafts.drop(curator(), day, level, _seen("drafted"), now())
    return Place(day=day, level=level), Outcome.undrafted(day, level)


@bp.post("/calendar/releases")
@_answered
def release() -> tuple[Place, Outcome]:
    """Make dailies of all these drafts or of none: `draft` as date:level:puzzle, repeated."""
    seen = [_draft(text) for text in request.form.getlist("draft")]
    count = drafts.release(curator(), seen, now(), two_person=_two_person())
    return Place(month=min(seen)[0].replace(day=1)), Outcome.live(count)


@bp.post("/calendar/fillings")
@_answered
def fill() -> tuple[Place, Outcome]:
    """Fill the gaps of a `month` from the bank as far as possible."""
    first = _month(request.form.get("month", ""))
    last = months.month(first, now()).rows[-1][0].day
    filled = filling.fill(curator(), first, last, now())
    return Place(month=first), Outcome.filled(filled.dailies, filled.left, *filled.entries)


@bp.post("/calendar/fillings/undos")
@_answered
def unfill() -> tuple[Place, Outcome]:
    """Undo the curator's filling between `first` and `last`, entries of the audit log."""
    first, last = (_number(name, request.form.get(name, "")) for name in ("first", "last"))
    days = filling.unfill(curator(), first, last, now())
    return Place(month=min(days).replace(day=1) if days else None), Outcome.unfilled(len(days))


def _page(place: Place, outcome: Outcome) -> str:
    at = now()
    slot = placed = None
    edits = may_use("admin.calendar.assign", write=True)
    if place.day is not None and place.level is not None:
        slot = months.slot(place.day, place.level, at)
    if edits and place.puzzle is not None:
        try:
            placed = calendar.free_for(SlotChoice(place.puzzle))
        except BadInput as error:
            outcome = Outcome.refused(error, {})
    month = place.day.replace(day=1) if place.day is not None else place.month
    view = CalendarView(
        months.month(month or dailies.today(at).replace(day=1), at),
        slot,
        placed,
        outcome,
        place,
        at,
        _drafts_now(),
    )
    if edits:
        view.offer(place)
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


def _two_person() -> bool:
    settings: Settings = current_app.extensions["settings"]
    return settings.two_person


def _drafting() -> bool:
    return _two_person() or session.get(DRAFTING) is True


def _drafts_now() -> Drafting:
    found = drafts.waiting()
    own = sum(draft.curator_id == curator().id for draft in found) if _two_person() else 0
    return Drafting(_drafting(), _two_person(), found, len(found) - own)


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


def _choice(text: str) -> SlotChoice:
    number, colon, version = text.strip().removeprefix("#").partition(":")
    return SlotChoice(_number("puzzle", number), _number("puzzle", version) if colon else None)


def _draft(text: str) -> Key:
    day, _colon, rest = text.partition(":")
    level, _colon, number = rest.partition(":")
    return _day("draft", day), _number("draft", level), _number("draft", number)


def _seen(field: str) -> int | None:
    """Return the puzzle that the curator saw on a day; None for a gap."""
    text = request.form.get(field, "")
    return _number(field, text) if text else None


def _picked(day: date, level: int) -> str:
    """Return how the daily of a day was chosen."""
    daily = months.slot(day, level, now()).daily
    return AUTOMATIC if daily is not None and not daily.by_hand else BY_HAND


def _sure() -> bool:
    return request.form.get("sure") == "1"
