"""Exports for programs: the puzzles that match the filters of the queue, streamed."""

from __future__ import annotations

from flask import Blueprint, Response, request, stream_with_context

from webapp.bank.selection import Filters
from webapp.curation.api.replies import parameters
from webapp.curation.importing import exports, printing
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
    wanted = _filters()
    kind = request.args.get("format", "json")
    parts = exports.export(curator(), wanted, kind, now())
    return Response(stream_with_context(parts), content_type=exports.TYPES[kind])


@bp.get("/export/pdf")
def as_pdf() -> Response:
    """Return dailies, `from` a day on for `days`, or the puzzles that the filters choose, as PDF."""
    parameters(*printing.NAMES, *filters.NAMES, *filters.FLAGS, many="puzzle")
    layout, heading, days = printing.read(request.args)
    if days is None:
        document = printing.selection(curator(), _filters(), heading, layout, now())
    else:
        document = printing.days(curator(), *days, heading, layout, now())
    return Response(document, content_type="application/pdf")


@bp.get("/puzzles/<int:puzzle_id>/picture")
def as_svg(puzzle_id: int) -> Response:
    """Return a puzzle as SVG, or with `?solution=1` its solution."""
    parameters("solution")
    solved = request.args.get("solution") == "1"
    return Response(
        printing.picture(curator(), puzzle_id, now(), solved=solved), content_type="image/svg+xml"
    )


def _filters() -> Filters:
    """Return the filters of the address. Raises BadInput naming invalid ones."""
    wanted, wrong = filters.read()
    for name in filters.FLAGS:
        if request.args.get(name, "1") != "1":
            wrong[name] = _("“%(found)s” isn’t a valid choice here.", found=request.args[name][:40])
    if wrong:
        raise BadInput(**wrong)
    return wanted
