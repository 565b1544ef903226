"""The calendar: two weeks of dailies from a day on, and the acts that change them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import wraps
from typing import Any

from flask import Blueprint, make_response, redirect, render_template, request, url_for

from webapp.competition.daily import choosing, schedule
from webapp.competition.daily.slots import FURTHEST, Refused, Seen, in_words
from webapp.curation.access import curator, may_use
from webapp.curation.puzzles import puzzles
from webapp.models import Daily, Puzzle
from webapp.models.daily import FIRST_DAY, LEVELS
from webapp.models.daily import today as day_of
from webapp.process.clock import now
from webapp.process.errors import BadAddress, BadInput, Changed
from webapp.process.words import gettext as _
from webapp.process.words import ngettext
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.i18n import level_name
from webapp.web.inputs import read_day, row_number

bp = Blueprint("calendar", __name__)

SPAN = timedelta(days=14)  # shown at once
CHOICES = 12  # puzzles that "Replace" goes through


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an act, with the fields that undo it, or the reason why nothing was done."""

    words: str
    undo: dict[str, Any] | None = None
    wrong: bool = False
    clash: str = ""  # the address of the daily in the way


@dataclass(slots=True)
class Slot:
    """A day at one level, as the page shows it."""

    day: date
    level: int
    daily: Daily | None
    out: bool  # whether it is released
    picked: bool
    act: str = ""  # what a press sends: put or move, with these fields; else it picks the slot
    fields: dict[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"slot-{self.day}-{self.level}"

    @property
    def seen(self) -> int | str:
        """The number of its puzzle, as forms tell it."""
        return self.daily.puzzle_id if self.daily else ""


@bp.get("/calendar")
def show() -> Answer:
    """Show fourteen days `from` a day; `day` and `level` pick a slot, `puzzle` one to put into a slot.

    `said` is the outcome of an act before a redirect, as words|name=value|...
    """
    words, *fields = request.args.get("said", "")[:400].split("|")
    undo = {name: value for name, _equals, value in (field.partition("=") for field in fields)}
    known = undo.get("act") in ("put", "clear", "move", "fill")
    return _page(Outcome(words, undo if known else None) if words else None)


def _answered(work: Callable[[], Outcome]) -> Callable[[], Answer]:
    """Redirect to the calendar after a change, or show it with the reason for the refusal."""

    @wraps(work)
    def answer() -> Answer:
        try:
            outcome = work()
        except Changed as error:
            return _page(Outcome(str(error), wrong=True)), 409
        except BadInput as error:
            clash = error.clash if isinstance(error, Refused) else None
            to = "" if clash is None else _address(day=clash[0], level=clash[1])
            return _page(Outcome(str(error), wrong=True, clash=to)), 422
        if not wants_fragment():
            fields = (f"{name}={value}" for name, value in (outcome.undo or {}).items())
            return redirect(_address(said="|".join([outcome.words, *fields])), 303)
        response = make_response(_page(outcome))
        response.headers["HX-Push-Url"] = _address()
        return response

    return answer


@bp.post("/calendar/puts")
@_answered
def put() -> Outcome:
    """Make `puzzle` (a number, or number:version) the daily of a slot; `next=1` takes one from the bank."""
    seen, form = _slot(), request.form
    if form.get("next") == "1":
        found = [each.id for each in choosing.candidates(seen.day, seen.level, CHOICES)]
        later = [number for number in found if number > (seen.puzzle or 0)]
        if not found:
            raise BadInput(puzzle=_("No unplayed approved puzzles left at this level."))
        number, version = (later or found)[0], None
    else:
        text, _colon, seen_version = form.get("puzzle", "").strip().removeprefix("#").partition(":")
        number, version = _number("puzzle", text), row_number(seen_version)
    was = schedule.assign(curator(), seen, number, now(), version=version, by_hand=_by_hand("filled"))
    undo = {"act": "put" if seen.puzzle else "clear", **_fields(seen.day, seen.level, number)}
    words = _(
        "#%(number)s is now the %(level)s daily for %(day)s.",
        number=number,
        level=level_name(seen.level),
        day=in_words(seen.day),
    )
    return Outcome(words, undo | ({"puzzle": seen.puzzle, **_filled(was)} if seen.puzzle else {}))


@bp.post("/calendar/clears")
@_answered
def clear() -> Outcome:
    """Return the puzzle of a slot to the bank."""
    seen = _slot()
    was = schedule.unassign(curator(), seen, now())
    words = _(
        "Removed the %(level)s daily for %(day)s.", level=level_name(seen.level), day=in_words(seen.day)
    )
    undo = {"act": "put", **_fields(seen.day, seen.level, None), "puzzle": seen.puzzle or ""}
    return Outcome(words, undo | _filled(was))


@bp.post("/calendar/moves")
@_answered
def move() -> Outcome:
    """Move the puzzle of a slot to the day `to`, which showed `there`; it swaps with the one there."""
    seen = _slot()
    to = Seen(_day("to"), seen.level, row_number(request.form.get("there", "")))
    by_hand = _by_hand("filled"), _by_hand("filled_there")
    was = schedule.move(curator(), seen, to, now(), by_hand=by_hand)
    values = {"level": level_name(seen.level), "day": in_words(seen.day), "to": in_words(to.day)}
    if to.puzzle is None:
        words = _("Moved the %(level)s daily from %(day)s to %(to)s.", **values)
    else:
        words = _("Swapped the %(level)s dailies of %(day)s and %(to)s.", **values)
    back = {"act": "move", **_fields(to.day, seen.level, seen.puzzle), "to": seen.day}
    return Outcome(words, back | {"there": to.puzzle or "", **_filled(*was)})


@bp.post("/calendar/fillings")
@_answered
def fill() -> Outcome:
    """Fill the gaps of the fourteen days shown, or with `undo` take back what a filling has chosen."""
    if "undo" in request.form:
        ids = [number for number in map(row_number, request.form["undo"].split(",")) if number is not None]
        days = schedule.unfill(curator(), ids, now())
        return Outcome(ngettext("One daily unscheduled.", "%(num)s dailies unscheduled.", len(days)))
    first = _first()
    last, at = first + SPAN - timedelta(days=1), now()
    ids = schedule.fill(curator(), first, last, at)
    words = ngettext("One daily scheduled.", "%(num)s dailies scheduled.", len(ids))
    if left := len(schedule.gaps(first, last, at)):
        words += " " + ngettext("One gap is left.", "%(num)s gaps are left.", left)
    undo = {"act": "fill", "undo": ",".join(map(str, ids))}
    return Outcome(words, undo if ids else None)


# The page


def _page(outcome: Outcome | None) -> str:
    at, person = now(), curator()
    today, first = day_of(at), _first()
    last = first + SPAN - timedelta(days=1)
    edits = may_use("admin.calendar.put", write=True)
    wanted = read_day(request.values.get("day", "")), row_number(request.values.get("level", ""))
    found, placed = schedule.between(first, last), _placed()
    shown = [daily.puzzle_id for slot, daily in found.items() if slot[0] > today or slot == wanted]
    puzzles.saw(person.id, [*shown, *([placed.id] if placed else [])], at)
    found, placed = schedule.between(first, last), _placed()  # recording the visit ended the transaction
    days = [first + timedelta(days=number) for number in range(SPAN.days)]
    slots = {
        (day, level): Slot(day, level, found.get((day, level)), day <= today, (day, level) == wanted)
        for day in days
        for level in LEVELS
    }
    picked = next((slot for slot in slots.values() if slot.picked), None)
    for slot in slots.values():
        if slot.out or not edits:
            continue
        if placed and placed.level == slot.level:
            slot.act, slot.fields = "put", {"day": slot.day, "seen": slot.seen, "puzzle": placed.seen}
        elif picked and picked.daily and not picked.out and picked.level == slot.level and slot is not picked:
            slot.act = "move"
            slot.fields = {"day": picked.day, "seen": picked.seen, "to": slot.day, "there": slot.seen}
    return render_template(
        "curation/_calendar.html" if wants_fragment() else "curation/calendar.html",
        rows=[(day, [slots[day, level] for level in LEVELS]) for day in days],
        first=first,
        last=last,
        today=today,
        earlier=_address(first=max(FIRST_DAY, first - SPAN)) if first > FIRST_DAY else None,
        later=_address(first=first + SPAN) if last < today + FURTHEST else None,
        levels=LEVELS,
        picked=picked,
        placed=placed,
        ahead=today + schedule.AHEAD,
        gaps=len(schedule.gaps(max(first, today), last, at)),
        short=schedule.runs_out(at, last),
        edits=edits,
        address=_address,
        outcome=outcome,
    )


def _first() -> date:
    """Return the first day shown: `from`, or today. Raises BadAddress."""
    text = request.values.get("from", "")
    today = day_of(now())
    day = read_day(text) if text else today
    if day is None or not FIRST_DAY <= day <= today + FURTHEST:
        raise BadAddress(_("The calendar doesn’t cover that month."))
    return day


def _placed() -> Puzzle | None:
    """Return the puzzle for which a slot is chosen."""
    number = row_number(request.args.get("puzzle", ""))
    return None if number is None else puzzles.puzzle(number)


def _address(**changed: Any) -> str:
    """Return the calendar's address at the same days, with other parameters."""
    first = changed.pop("first", None) or _first()
    query: dict[str, Any] = {name: str(value) for name, value in changed.items() if value is not None}
    if first != day_of(now()):
        query["from"] = first.isoformat()
    return url_for("admin.calendar.show", **query)


def _fields(day: date, level: int, seen: int | None) -> dict[str, Any]:
    return {"day": day.isoformat(), "level": level, "seen": seen or ""}


def _filled(here: bool, there: bool = True) -> dict[str, Any]:
    """Return the fields with which undoing restores what the site had chosen, not a curator."""
    return {name: 1 for name, by_hand in (("filled", here), ("filled_there", there)) if not by_hand}


def _by_hand(field: str) -> bool:
    return request.form.get(field) != "1"


# Parsing of forms; each raises BadInput with the field's name


def _slot() -> Seen:
    level, text = _number("level", request.form.get("level", "")), request.form.get("seen", "")
    return Seen(_day("day"), level, _number("seen", text) if text else None)


def _day(field: str) -> date:
    text = request.form.get(field, "")
    day = read_day(text)
    if day is None:
        message = _("%(name)s: expected one like 2026-03-01, found “%(found)s”", name=field, found=text[:20])
        raise BadInput(**{field: message})
    return day


def _number(field: str, text: str) -> int:
    number = row_number(text)
    if number is None:
        message = _("%(name)s: expected a number, found “%(found)s”", name=field, found=text[:20])
        raise BadInput(**{field: message})
    return number
