"""Exports for programs: the puzzles that match the filters of the queue, streamed."""

from __future__ import annotations

from flask import Blueprint, Response, request, stream_with_context

from webapp.curation.importing import exports
from webapp.curation.queue import filters
from webapp.curation.team.access import curator
from webapp.process.clock import now
from webapp.process.errors import BadInput

bp = Blueprint("export", __name__)


@bp.get("/export")
def download() -> Response:
    """Stream the puzzles in `?format=` that the other parameters choose."""
    wanted, wrong = filters.read()
    if wrong:
        raise BadInput(**wrong)
    kind = request.args.get("format", "json")
    parts = exports.export(curator(), wanted, kind, now())
    return Response(stream_with_context(parts), content_type=exports.TYPES[kind])
