"""Withdrawals and notices for programs: of dailies, puzzles and collections, and to all players."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, current_app, jsonify
from werkzeug.wrappers import Response

from webapp.curation import curation
from webapp.curation.api.calendar_routes import conflicts, slot_json
from webapp.curation.api.collection_routes import editing
from webapp.curation.api.replies import body, day_of, parameters, puzzle_number, text
from webapp.curation.calendar import withdrawing
from webapp.curation.calendar.calendar import SeenSlot, SlotChoice
from webapp.curation.calendar.months import Slot
from webapp.curation.curation import VersionSeen
from webapp.curation.messages import notices
from webapp.curation.team.access import curator
from webapp.models import Notice, Status
from webapp.process.clock import now
from webapp.process.errors import BadStart, Changed
from webapp.process.words import gettext as _
from webapp.web.inputs import read_day

bp = Blueprint("public", __name__)


@bp.post("/calendar/<day>/<int:level>/withdrawal")
def withdraw(day: str, level: int) -> Response:
    """Withdraw `puzzle`, the released daily of a day, for a `reason`; `replacement` takes its place."""
    at, fields = day_of(day), body(("puzzle", "reason", "replacement"))
    seen = SeenSlot(at, level, puzzle_number(fields, "puzzle"))
    with_another = fields.get("replacement") is not None
    replacement = SlotChoice(puzzle_number(fields, "replacement")) if with_another else None
    two_person = current_app.extensions["settings"].two_person
    with conflicts():
        withdrawing.withdraw(
            curator(), seen, text(fields, "reason"), replacement, now(), two_person=two_person
        )
    return _slot(at, level)


@bp.post("/calendar/<day>/<int:level>/withdrawal/undo")
def undo(day: str, level: int) -> Response:
    """Undo a withdrawal of the last day; `puzzle` is the one there now."""
    at, fields = day_of(day), body(("puzzle",))
    with conflicts():
        withdrawing.undo(curator(), SeenSlot(at, level, puzzle_number(fields, "puzzle")), now())
    return _slot(at, level)


@bp.post("/puzzles/<int:puzzle_id>/withdrawal")
def withdraw_puzzle(puzzle_id: int) -> Response:
    """Withdraw an approved puzzle from players for a `reason`, or offer it again with null."""
    fields = body(("reason",))
    found = curation.puzzle(puzzle_id)
    again = fields.get("reason") is None
    if again and found.status != Status.WITHDRAWN:  # else a candidate would be approved unseen
        raise BadStart(_("#%(number)s isn’t withdrawn.", number=puzzle_id))
    action, reason = ("approve", "") if again else ("withdraw", text(fields, "reason"))
    try:
        curation.decide(curator(), action, [VersionSeen(puzzle_id, found.version)], reason, now())
    except Changed as error:  # it was decided otherwise, or isn't what the action applies to
        raise BadStart(str(error)) from None
    found = curation.puzzle(puzzle_id)
    return jsonify({"puzzle": found.id, "status": found.status, "reason": found.reason})


@bp.post("/collections/<int:collection_id>/withdrawal")
def withdraw_collection(collection_id: int) -> Response:
    """Withdraw a published collection for a `reason`, or offer it again with null."""
    fields = body(("reason",))
    reason = None if fields.get("reason") is None else text(fields, "reason")
    services = editing()
    seen = services.collection(collection_id).version
    if reason is None:
        services.restore(curator(), collection_id, seen, now())
    else:
        services.withdraw(curator(), collection_id, seen, reason, now())
    found = services.collection(collection_id)
    return jsonify({"collection": found.id, "title": found.title, "withdrawn": found.withdrawn})


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
