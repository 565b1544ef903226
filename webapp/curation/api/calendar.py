"""The calendar for programs: read a month, schedule a puzzle."""

from __future__ import annotations

from datetime import date
from typing import Any

from flask import Blueprint, current_app, jsonify, request
from werkzeug.wrappers import Response

from webapp.competition.daily import dailies
from webapp.curation.api.replies import body, parameters, whole
from webapp.curation.calendar import calendar, drafts
from webapp.curation.calendar.calendar import Refused, Slot, SlotChoice, Unsure
from webapp.curation.team.access import curator
from webapp.process.clock import now
from webapp.process.errors import BadInput, BadStart
from webapp.process.words import gettext as _
from webapp.web.inputs import LARGEST, read_day, read_month

bp = Blueprint("calendar", __name__)

FIELDS = ("puzzle", "instead", "sure")


@bp.get("/calendar")
def show() -> Response:
    """Show the month `?month=`, by default this one: every day and level, without givens."""
    parameters("month")
    text = request.args.get("month")
    first = dailies.today(now()).replace(day=1) if text is None else read_month(text)
    if first is None:
        raise BadInput(
            month=_("month: expected one like 2026-03, found “%(found)s”", found=(text or "")[:20])
        )
    month = calendar.month(first, now())
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

    Where two curators release dailies, it becomes a draft, in place of the draft there, if there is one.
    """
    at = read_day(day)
    if at is None:
        raise BadInput(
            date=_("%(name)s: expected one like 2026-03-01, found “%(found)s”", name="date", found=day[:20])
        )
    fields = body(FIELDS)
    seen = None if fields.get("instead") is None else _number(fields, "instead")
    sure = fields.get("sure", False)
    if not isinstance(sure, bool):
        raise BadInput(sure=_("%(name)s: expected true or false", name="sure"))
    two_person = current_app.extensions["settings"].two_person
    choice = SlotChoice(_number(fields, "puzzle"))
    try:
        drafts.schedule(curator(), at, level, choice, seen, now(), sure=sure, drafting=two_person)
    except (Refused, Unsure) as error:  # the request is right, but not now
        raise BadStart(str(error)) from None
    return jsonify(slot_json(calendar.slot(at, level, now())))


def _number(fields: dict[str, Any], name: str) -> int:
    number = whole(fields, name)
    if not 0 <= number <= LARGEST:
        raise BadInput(**{name: _("%(name)s: expected the number of a puzzle", name=name)})
    return number


def slot_json(slot: Slot) -> dict[str, Any]:
    """Return a level of a day as the API sends it."""
    return {
        "date": slot.day.isoformat(),
        "level": slot.level,
        "puzzle": None if slot.daily is None else slot.daily.puzzle_id,
        "draft": None if slot.draft is None else slot.draft.id,
        "released": slot.released,
    }


def _month(first: date | None) -> str | None:
    return None if first is None else f"{first:%Y-%m}"
