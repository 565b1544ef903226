"""The calendar for programs: read a month, schedule a puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from flask import Blueprint, current_app, jsonify, request
from werkzeug.wrappers import Response

from webapp.competition.daily import dailies
from webapp.curation.api.replies import body, day_of, parameters, puzzle_number
from webapp.curation.calendar import calendar, drafts, months
from webapp.curation.calendar.calendar import Refused, SeenSlot, SlotChoice, Unsure
from webapp.curation.calendar.months import Slot
from webapp.curation.team.access import curator
from webapp.process.clock import now
from webapp.process.errors import BadInput, BadStart
from webapp.process.words import gettext as _
from webapp.web.inputs import read_month

bp = Blueprint("calendar", __name__)

FIELDS = ("puzzle", "instead", "sure")


@contextmanager
def conflicts() -> Iterator[None]:
    """Refuse a valid request that conflicts with the current state."""
    try:
        yield
    except (Refused, Unsure) as error:
        raise BadStart(str(error)) from None


@bp.get("/calendar")
def show() -> Response:
    """Return the month `?month=`, by default this one: every day and level, without givens."""
    parameters("month")
    text = request.args.get("month")
    first = dailies.today(now()).replace(day=1) if text is None else read_month(text)
    if first is None:
        raise BadInput(
            month=_("month: expected one like 2026-03, found “%(found)s”", found=(text or "")[:20])
        )
    month = months.month(first, now())
    return jsonify(
        {
            "month": _month(month.first),
            "slots": [slot_json(slot) for row in month.rows for slot in row],
            "earlier": _month(month.earlier),
            "later": _month(month.later),
        }
    )


@bp.put("/calendar/<day>/<int:level>")
def schedule(day: str, level: int) -> Response:
    """Make `puzzle` the daily of a day and level in place of `instead`; `sure` confirms.

    With two-person release, it becomes a draft instead, replacing the current draft, if any.
    """
    at, fields = day_of(day), body(FIELDS)
    seen = None if fields.get("instead") is None else puzzle_number(fields, "instead")
    sure = _sure(fields)
    two_person = current_app.extensions["settings"].two_person
    slot, choice = SeenSlot(at, level, seen), SlotChoice(puzzle_number(fields, "puzzle"))
    with conflicts():
        drafts.schedule(curator(), slot, choice, now(), sure=sure, drafting=two_person)
    return jsonify(slot_json(months.slot(at, level, now())))


@bp.delete("/calendar/<day>/<int:level>")
def clear(day: str, level: int) -> Response:
    """Return the daily of a day, `?puzzle=`, to the bank."""
    parameters("puzzle")
    at, seen = day_of(day), puzzle_number({"puzzle": request.args.get("puzzle", type=int)}, "puzzle")
    with conflicts():
        calendar.unassign(curator(), at, level, seen, now())
    return jsonify(slot_json(months.slot(at, level, now())))


@bp.put("/drafts/<day>/<int:level>")
def draft(day: str, level: int) -> Response:
    """Draft `puzzle` for a day and level in place of `instead`, the draft or else the daily there."""
    at, fields = day_of(day), body(FIELDS)
    seen = None if fields.get("instead") is None else puzzle_number(fields, "instead")
    choice, sure = SlotChoice(puzzle_number(fields, "puzzle")), _sure(fields)
    with conflicts():
        drafts.put(curator(), at, level, choice, seen, now(), sure=sure)
    return jsonify(slot_json(months.slot(at, level, now())))


@bp.delete("/drafts/<day>/<int:level>")
def undraft(day: str, level: int) -> Response:
    """Delete the draft of a day and level, `?puzzle=`."""
    parameters("puzzle")
    at, seen = day_of(day), puzzle_number({"puzzle": request.args.get("puzzle", type=int)}, "puzzle")
    calendar.refuse_unknown(at, level, now())
    drafts.drop(curator(), at, level, seen, now())
    return jsonify(slot_json(months.slot(at, level, now())))


@bp.post("/drafts/release")
def release() -> Response:
    """Make dailies of these `drafts`, all of them or none."""
    found = body(("drafts",)).get("drafts")
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise BadInput(drafts=_("Send a list of drafts."))
    keys = [
        (day_of(str(each.get("date"))), puzzle_number(each, "level"), puzzle_number(each, "puzzle"))
        for each in found
    ]
    for at, level, _puzzle in keys:
        calendar.refuse_unknown(at, level, now())
    two_person = current_app.extensions["settings"].two_person
    with conflicts():
        count = drafts.release(curator(), keys, now(), two_person=two_person)
    return jsonify({"released": count})


def _sure(fields: dict[str, Any]) -> bool:
    sure = fields.get("sure", False)
    if not isinstance(sure, bool):
        raise BadInput(sure=_("%(name)s: expected true or false", name="sure"))
    return sure


def slot_json(slot: Slot) -> dict[str, Any]:
    """Return one level of a day as JSON."""
    return {
        "date": slot.day.isoformat(),
        "level": slot.level,
        "puzzle": None if slot.daily is None else slot.daily.puzzle_id,
        "draft": None if slot.draft is None else slot.draft.id,
        "released": slot.released,
        "withdrawn": None if slot.daily is None else slot.daily.withdrawal,
    }


def _month(first: date | None) -> str | None:
    return None if first is None else f"{first:%Y-%m}"
