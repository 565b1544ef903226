"""Any selection of puzzles as a file, or laid out to be printed."""

from __future__ import annotations

import math

from flask import Blueprint, Response, render_template, request, stream_with_context
from flask_babel import gettext as _

from engine.formats import FORMATS
from webapp.routes.puzzles import PER_PAGE
from webapp.services import bank, exporting
from webapp.services.errors import BadInput, NotFound
from webapp.services.exporting import Selection
from webapp.steps.names import NAMES

bp = Blueprint("exporting", __name__)

TYPES = {
    "sdm": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/x-ndjson",
    "opensudoku": "application/xml; charset=utf-8",
}


@bp.get("/export")
def download() -> Response:
    """The selection in `?format=`: `puzzle` repeated, or the filters that the queue knows."""
    kind = request.args.get("format", "sdm")
    if kind not in exporting.OFFERED:
        raise BadInput(format=_("Expected one of %(names)s.", names=", ".join(exporting.OFFERED)))
    selection = _selection()
    if not exporting.count(selection):
        raise NotFound(_("There is no such puzzle."))
    name = f"ninefold{FORMATS[kind].suffix if kind != 'json' else '.jsonl'}"
    parts = exporting.text(exporting.selected(selection), kind)
    disposition = {"Content-Disposition": f"attachment; filename={name}"}
    return Response(stream_with_context(parts), content_type=TYPES[kind], headers=disposition)


@bp.get("/export/print")
def on_paper() -> str:
    """The selection on paper, `per` puzzles on a page."""
    per = request.args.get("per", 4, type=int)
    puzzles = list(exporting.selected(_selection(), bank.MOST_PRINTED))
    return render_template(
        "puzzles/print.html", puzzles=puzzles, per=per if per in PER_PAGE else 4, chosen_by_form=False
    )


def _selection() -> Selection:
    """What the address asks for. Raises BadInput naming what cannot be read."""
    args = request.args
    ids = [int(text) for text in args.getlist("puzzle") if text.isascii() and text.isdigit()]
    if len(ids) < len(args.getlist("puzzle")):
        raise BadInput(puzzle=_("puzzle: expected numbers."))
    status = args.get("status") or None
    if status is not None and status not in exporting.CURATED:
        raise BadInput(status=_("status: expected one of %(names)s.", names=", ".join(exporting.CURATED)))
    hardest = args.get("hardest") or None
    if hardest is not None and hardest not in NAMES:
        raise BadInput(hardest=_("hardest: there is no such technique."))
    return Selection(
        ids,
        status,
        _whole("level"),
        hardest,
        _number("er_from"),
        _number("er_to"),
        _number("minutes_from"),
        _number("minutes_to"),
        _whole("order"),
        _whole("batch"),
    )


def _whole(name: str) -> int | None:
    text = request.args.get(name, "").strip()
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or int(text) >= 2**31:
        raise BadInput(**{name: _("%(name)s: expected a whole number.", name=name)})
    return int(text)


def _number(name: str) -> float | None:
    text = request.args.get(name, "").strip().replace(",", ".")
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise BadInput(**{name: _("%(name)s: expected a number.", name=name)})
    return value
