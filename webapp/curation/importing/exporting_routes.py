"""Routes for exporting a selection of puzzles, as a file or for print."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request, stream_with_context

from engine.formats import FORMATS
from webapp.bank import bank, exporting
from webapp.bank.selection import Filters
from webapp.curation import curation
from webapp.curation.access import curator
from webapp.curation.queue import filters
from webapp.play.puzzle_routes import PER_PAGE
from webapp.process.clock import now
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

bp = Blueprint("exporting", __name__)

TYPES = {
    "sdm": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/x-ndjson",
    "opensudoku": "application/xml; charset=utf-8",
}


@bp.get("/export")
def download() -> Response:
    """Download the selection in `?format=`: repeated `puzzle`, or the filters of the queue."""
    kind = request.args.get("format", "sdm")
    if kind not in exporting.OFFERED:
        raise BadInput(format=_("Choose one of %(names)s.", names=", ".join(exporting.OFFERED)))
    numbers = _taken(exporting.MOST)
    if not numbers:
        raise NotFound(_("We couldn’t find that puzzle."))
    name = f"ninefold{FORMATS[kind].suffix if kind != 'json' else '.jsonl'}"
    parts = exporting.text(exporting.puzzles(numbers), kind)
    disposition = {"Content-Disposition": f"attachment; filename={name}"}
    return Response(stream_with_context(parts), content_type=TYPES[kind], headers=disposition)


@bp.get("/export/print")
def on_paper() -> str:
    """Show the selection for print, `per` puzzles per page."""
    per = request.args.get("per", 4, type=int)
    puzzles = list(exporting.puzzles(_taken(bank.MOST_PRINTED)))
    return render_template(
        "play/puzzles/print.html", puzzles=puzzles, per=per if per in PER_PAGE else 4, chosen_by_form=False
    )


def _taken(most: int) -> list[int]:
    """Return the numbers of the selection; the curator can then no longer play these puzzles ranked."""
    numbers = exporting.numbers(_filters(), most)
    curation.saw(curator().id, numbers, now())
    return numbers


def _filters() -> Filters:
    """Return the filters of the address. Raises BadInput naming invalid ones."""
    found, wrong = filters.read()
    if wrong:
        raise BadInput(**wrong)
    return found
