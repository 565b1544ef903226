"""Exports for programs: the puzzles that match the filters of the queue, streamed."""

from __future__ import annotations

from flask import Blueprint, Response, request, stream_with_context

from webapp.curation.api.replies import parameters
from webapp.curation.importing import exports
from webapp.curation.queue import filters
from webapp.curation.team.access import curator
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

bp = Blueprint("export", __name__)


@bp.get("/export")
def download() -> Response:
    """Stream the puzzles in `?format=` that the other parameters choose."""
    parameters("format", *filters.NAMES, *filters.FLAGS, many="puzzle")
    wanted, wrong = filters.read()
    for name in filters.FLAGS:
        if request.args.get(name, "1") != "1":
            wrong[name] = _("“%(found)s” isn’t a valid choice here.", found=request.args[name][:40])
    if wrong:
        raise BadInput(**wrong)
    kind = request.args.get("format", "json")
    parts = exports.export(curator(), wanted, kind, now())
    return Response(stream_with_context(parts), content_type=exports.TYPES[kind])
