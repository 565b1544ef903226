"""Collections for programs. The capability may be off, so it is reached by its hook."""

from __future__ import annotations

from datetime import date
from typing import Any

from flask import Blueprint, jsonify, url_for
from werkzeug.wrappers import Response

from webapp.capability import first
from webapp.curation.api.puzzle_routes import seen_version
from webapp.curation.api.replies import body, moment, parameters, text, whole
from webapp.curation.team.access import curator
from webapp.process.clock import now
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _
from webapp.web.inputs import read_day

bp = Blueprint("collections", __name__)

FIELDS = ("version", "title", "text", "author", "publish_on", "group", "cover")


def editing() -> Any:
    """Return the services of collections. Raises NotFound if they are off."""
    found = first("editing of collections")
    if found is None:
        raise NotFound(_("We couldn’t find that collection."))
    return found


@bp.get("/collections")
def index() -> Response:
    """List the collections, newest first, without their puzzles."""
    parameters()
    return jsonify({"items": [_json(each, None) for each, _count in editing().everything()]})


@bp.post("/collections")
def create() -> tuple[Response, int, dict[str, str]]:
    """Create a collection with this `title`."""
    number = editing().create(curator(), text(body(("title",)), "title"), now())
    return _shown(number), 201, {"Location": url_for(".show", collection_id=number)}


@bp.get("/collections/<int:collection_id>")
def show(collection_id: int) -> Response:
    """Return a collection with the numbers of its puzzles in order."""
    return _shown(collection_id)


@bp.put("/collections/<int:collection_id>")
def change(collection_id: int) -> Response:
    """Replace the fields of a collection as it was seen (`version`); missing ones are emptied."""
    fields = body(FIELDS)
    asked = editing().Fields(
        text(fields, "title"),
        *(text(fields, name) if fields.get(name) is not None else "" for name in ("text", "author")),
        _day(fields),
        *(None if fields.get(name) is None else whole(fields, name) for name in ("group", "cover")),
    )
    editing().change(curator(), collection_id, whole(fields, "version"), asked, now())
    return _shown(collection_id)


def _day(fields: dict[str, Any]) -> date | None:
    if fields.get("publish_on") is None:
        return None
    found = read_day(text(fields, "publish_on"))
    if found is None:
        raise BadInput(publish_on=_("Choose a day."))
    return found


@bp.delete("/collections/<int:collection_id>")
def delete(collection_id: int) -> tuple[str, int]:
    """Delete a collection as it was seen, `?version=`; its puzzles return to the bank."""
    parameters("version")
    editing().delete(curator(), collection_id, seen_version(), now())
    return "", 204


@bp.put("/collections/<int:collection_id>/puzzles/<int:puzzle_id>")
def add(collection_id: int, puzzle_id: int) -> Response:
    """Append an approved puzzle."""
    editing().add(curator(), collection_id, [puzzle_id], now())
    return _shown(collection_id)


@bp.delete("/collections/<int:collection_id>/puzzles/<int:puzzle_id>")
def remove(collection_id: int, puzzle_id: int) -> Response:
    """Remove a puzzle, which returns to the bank."""
    editing().remove(curator(), collection_id, puzzle_id, now())
    return _shown(collection_id)


def _shown(collection_id: int) -> Response:
    numbers = [puzzle.id for puzzle in editing().puzzles(collection_id)]
    return jsonify(_json(editing().collection(collection_id), numbers))


def _json(collection: Any, puzzles: list[int] | None) -> dict[str, Any]:
    day = collection.publish_on
    found = {
        "id": collection.id,
        "version": collection.version,
        "title": collection.title,
        "text": collection.text or "",
        "author": collection.author or "",
        "publish_on": None if day is None else day.isoformat(),
        "group": collection.group_id,
        "cover": collection.cover_id,
        "created_at": moment(collection.created_at),
    }
    return found if puzzles is None else found | {"puzzles": puzzles}
