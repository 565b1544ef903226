"""Routes for exporting a selection of puzzles, as a file or for print."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from engine.formats import FORMATS
from webapp.bank import exporting, offer
from webapp.curation import curation
from webapp.curation.importing import exports, printing
from webapp.curation.queue import filters
from webapp.curation.queue.filters import address_of
from webapp.curation.team.access import curator
from webapp.play.puzzle_routes import PER_PAGE
from webapp.process.clock import now
from webapp.web import downloads

bp = Blueprint("exporting", __name__)


@bp.get("/export")
def download() -> Response:
    """Download the selection in `?format=`: repeated `puzzle`, or the filters of the queue."""
    kind = request.args.get("format", "sdm")
    parts = exports.export(curator(), filters.valid(), kind, now())
    name = f"ninefold{FORMATS[kind].suffix if kind != 'json' else '.jsonl'}"
    return downloads.download(parts, exports.TYPES[kind], name)


@bp.get("/export/print")
def on_paper() -> str:
    """Show the selection for print, `per` puzzles per page."""
    per = request.args.get("per", 4, type=int)
    wanted, person, at = filters.valid(), curator(), now()
    numbers = exporting.numbers(wanted, offer.MOST_PRINTED)
    curation.saw(person.id, numbers, at)
    curation.note_export(person, "print", address_of(wanted), len(numbers), at)
    puzzles = list(exporting.puzzles(numbers))
    return render_template(
        "play/puzzles/print.html", puzzles=puzzles, per=per if per in PER_PAGE else 4, chosen_by_form=False
    )


@bp.get("/export/pdf")
def as_pdf() -> Response:
    """Download the selection, or the dailies `from` a day on for `days`, as PDF; `printing.NAMES`."""
    layout, heading, days = printing.read(request.args)
    if days is None:
        document = printing.selection(curator(), filters.valid(), heading, layout, now())
    else:
        document = printing.days(curator(), *days, heading, layout, now())
    disposition = {"Content-Disposition": "attachment; filename=ninefold.pdf"}
    return Response(document, content_type="application/pdf", headers=disposition)


@bp.get("/puzzles/<int:puzzle_id>.svg")
def as_svg(puzzle_id: int) -> Response:
    """Download a puzzle as SVG, or with `?solution=1` its solution."""
    picture = printing.picture(curator(), puzzle_id, now(), solved=request.args.get("solution") == "1")
    disposition = {"Content-Disposition": f"attachment; filename=ninefold-{puzzle_id}.svg"}
    return Response(picture, content_type="image/svg+xml", headers=disposition)
