"""Imports for programs: send a file, follow its progress, read the report."""

from __future__ import annotations

import io
from typing import Any, cast

from flask import Blueprint, g, jsonify, request, url_for
from werkzeug.exceptions import UnsupportedMediaType
from werkzeug.wrappers import Response

from webapp.curation.api.replies import Page, latest, moment, page_asked, parameters
from webapp.curation.importing import importing, large, uploads
from webapp.curation.team import roles
from webapp.curation.team.access import curator
from webapp.models import Import, ImportLine, ImportState, LineState
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

bp = Blueprint("imports", __name__)

bp.teardown_request(large.end)

FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
OVER = (ImportState.DONE, ImportState.CANCELLED, ImportState.FAILED)


@bp.url_value_preprocessor
def allow_more(endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Let those with a token whose curator may import send a whole file."""
    if (
        endpoint == "api.imports.take"
        and g.player is not None
        and roles.may(g.player.role, endpoint, write=True)
    ):
        large.begin()
        request.max_content_length = uploads.LARGEST


@bp.get("/imports")
def index() -> Response:
    """List the imports, newest first; `?page=`."""
    return jsonify(latest(Import).json(import_json))


@bp.post("/imports")
def take() -> tuple[Response, int, dict[str, str]]:
    """Import the puzzles of the body: a small file at once (201), a large one by the workers (202)."""
    parameters("name", "columns")
    if request.mimetype in FORMS:
        raise UnsupportedMediaType(_("Send the file itself as the body, with a type such as text/plain."))
    stream = io.BufferedReader(cast(io.RawIOBase, request.stream))
    name, columns = request.args.get("name", _("API")), request.args.get("columns", "")
    batch_id, done = importing.accept(stream, name, curator(), now(), columns)
    where = {"Location": url_for("api.imports.show", batch_id=batch_id)}
    return jsonify(import_json(uploads.of_id(batch_id))), 201 if done else 202, where


@bp.get("/imports/<int:batch_id>")
def show(batch_id: int) -> Response:
    """Return an import's progress and counts."""
    return jsonify(import_json(uploads.of_id(batch_id)))


@bp.get("/imports/<int:batch_id>/lines")
def lines(batch_id: int) -> Response:
    """List the results of its lines; `?page= ?state=`."""
    parameters("page", "state")
    state = request.args.get("state", "")
    if state and state not in set(LineState):
        raise BadInput(state=_("state: expected one of %(names)s", names=", ".join(LineState)))
    number = page_asked()
    report = importing.report(batch_id, number, state)
    found = [line for line, _puzzle in report.lines] if number <= report.pages else []
    return jsonify(Page(found, number, report.pages).json(_line))


@bp.post("/imports/<int:batch_id>/cancel")
def cancel(batch_id: int) -> Response:
    """End an import and keep the puzzles stored so far."""
    uploads.cancel(batch_id, curator(), now())
    return jsonify(import_json(uploads.of_id(batch_id)))


def import_json(batch: Import) -> dict[str, Any]:
    """Return an import as JSON."""
    return {
        "id": batch.id,
        "name": batch.name,
        "state": batch.state,
        "bytes": batch.size,
        "bytes_read": batch.size if batch.state in OVER else batch.read,
        "counts": {str(state): getattr(batch, state) for state in LineState},
        "message": batch.message,
        "created_at": moment(batch.created_at),
        "ended_at": moment(batch.ended_at),
    }


def _line(line: ImportLine) -> dict[str, Any]:
    return {
        "line": line.file_line or line.line,
        "state": line.state,
        "puzzle": line.puzzle_id,
        "detail": line.detail,
    }
