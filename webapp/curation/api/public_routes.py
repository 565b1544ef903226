"""Withdrawals and notices for programs: of dailies, puzzles and collections, and to all players."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, current_app, jsonify
from werkzeug.wrappers import Response

from webapp.capability import first
from webapp.curation import curation
from webapp.curation.api.calendar_routes import slot_json
from webapp.curation.api.replies import body, parameters, text, whole
from webapp.curation.calendar import withdrawing
from webapp.curation.calendar.calendar import Refused, SeenSlot, SlotChoice
from webapp.curation.calendar.months import Slot
from webapp.curation.curation import VersionSeen
from webapp.curation.messages import notices
from webapp.curation.team.access import curator
from webapp.models import Notice
from webapp.process.clock import now
from webapp.process.errors import BadInput, BadStart, Changed, NotFound
from webapp.process.words import gettext as _
from webapp.web.inputs import LARGEST, read_day

bp = Blueprint("public", __name__)


@bp.post("/calendar/<day>/<int:level>/withdrawal")
def withdraw(day: str, level: int) -> Response:
    """Withdraw `puzzle`, the released daily of a day, for a `reason`; `replacement` takes its place."""
    at, fields = _day(day), body(("puzzle", "reason", "replacement"))
    seen = SeenSlot(at, level, _number(fields, "puzzle"))
    with_another = fields.get("replacement") is not None
    replacement = SlotChoice(_number(fields, "replacement")) if with_another else None
    two_person = current_app.extensions["settings"].two_person
    try:
        withdrawing.withdraw(
            curator(), seen, text(fields, "reason"), replacement, now(), two_person=two_person
        )
    except Refused as error:  # the request is valid, but conflicts with the current state
        raise BadStart(str(error)) from None
    return _slot(at, level)


@bp.post("/calendar/<day>/<int:level>/withdrawal/undo")
def undo(day: str, level: int) -> Response:
    """Undo a withdrawal of the last day; `puzzle` is the one there now."""
    at, fields = _day(day), body(("puzzle",))
    try:
        withdrawing.undo(curator(), SeenSlot(at, level, _number(fields, "puzzle")), now())
    except Refused as error:
        raise BadStart(str(error)) from None
    return _slot(at, level)


@bp.post("/puzzles/<int:puzzle_id>/withdrawal")
def withdraw_puzzle(puzzle_id: int) -> Response:
    """Withdraw an approved puzzle from players for a `reason`, or offer it again with null."""
    fields = body(("reason",))
    seen = VersionSeen(puzzle_id, curation.puzzle(puzzle_id).version)
    action = "approve" if fields.get("reason") is None else "withdraw"
    reason = "" if action == "approve" else text(fields, "reason")
    try:
        curation.decide(curator(), action, [seen], reason, now())
    except Changed as error:  # it was decided otherwise, or isn't what the action applies to
        raise BadStart(str(error)) from None
    found = curation.puzzle(puzzle_id)
    return jsonify({"puzzle": found.id, "status": found.status, "reason": found.reason})


@bp.post("/collections/<int:collection_id>/withdrawal")
def withdraw_collection(collection_id: int) -> Response:
    """Withdraw a published collection for a `reason`, or offer it again with null."""
    fields = body(("reason",))
    reason = None if fields.get("reason") is None else text(fields, "reason")
    found = first("withdraw a collection", curator(), collection_id, reason, now())
    if found is None:  # collections are off
        raise NotFound(_("We couldn’t find that collection."))
    return jsonify(found)


@bp.get("/notices")
def index() -> Response:
    """List the notices that players see."""
    parameters()
    return jsonify({"items": [notice_json(notice) for notice in notices.shown(now())]})


@bp.post("/notices")
def publish() -> tuple[Response, int]:
    """Show `text` to all players until the end of the day `until`."""
    fields = body(("text", "until"))
    made = notices.publish(curator(), text(fields, "text"), read_day(text(fields, "until")), now())
    return jsonify(notice_json(made)), 201


@bp.post("/notices/<int:notice_id>/end")
def end(notice_id: int) -> tuple[str, int]:
    """End a notice."""
    notices.end(curator(), notice_id, now())
    return "", 204


def notice_json(notice: Notice) -> dict[str, object]:
    """Return a notice as JSON."""
    return {"id": notice.id, "text": notice.text, "until": notice.until.isoformat()}


def _slot(day: date, level: int) -> Response:
    """Return the slot as it is now, whether or not its level is still one of the dailies."""
    return jsonify(slot_json(Slot(day, level, withdrawing.release(day, level, now()).daily, released=True)))


def _day(found: str) -> date:
    day = read_day(found)
    if day is None:
        raise BadInput(
            date=_("%(name)s: expected one like 2026-03-01, found “%(found)s”", name="date", found=found[:20])
        )
    return day


def _number(fields: dict[str, object], name: str) -> int:
    number = whole(fields, name)
    if not 0 <= number <= LARGEST:
        raise BadInput(**{name: _("%(name)s: expected the number of a puzzle", name=name)})
    return number
