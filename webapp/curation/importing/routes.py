"""Routes of import and export: a file or pasted text of puzzles, the report on its lines, the forms."""

from __future__ import annotations

import csv
import io
from io import BytesIO
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

import engine
from webapp.bank import bank, exporting
from webapp.bank.selection import CURATED, Filters
from webapp.curation.access import curator
from webapp.curation.importing import importing
from webapp.curation.queue import filters
from webapp.game.steps.names import technique_name
from webapp.models import LineState, Status
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

bp = Blueprint("importing", __name__)

AROUND = 16 * 1024  # bytes of a form in addition to the puzzles


@bp.url_value_preprocessor
def allow_more(endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Allow larger forms for this route only, before anything parses them."""
    if endpoint == "admin.importing.take":
        request.max_content_length = importing.LARGEST + AROUND
        request.max_form_memory_size = importing.LARGEST + AROUND


@bp.get("/import")
def show() -> str:
    """Show both forms, with the filters of the address, and the latest imports."""
    return _page("", {})


@bp.post("/import")
def take() -> BaseResponse | tuple[str, int]:
    """Import the puzzles of a file or text: all of them, or none if something is wrong."""
    person = curator()
    text, file = request.form.get("text", ""), request.files.get("file")
    try:
        if file is not None and file.filename:
            batch = importing.take(
                _small(file.stream.read(importing.LARGEST + 1)), file.filename, person, now()
            )
        elif text.strip():
            batch = importing.take(_small(text.encode("utf-8", "replace")), _("Pasted text"), person, now())
        else:
            raise BadInput(text=_("Choose a file or paste some text."))
    except BadInput as error:
        return _page(text, error.fields), 422
    return redirect(url_for("admin.importing.report", batch_id=batch), 303)


@bp.get("/import/<int:batch_id>")
def report(batch_id: int) -> str:
    """Show the result of each line; `?state= ?page=`."""
    state = request.args.get("state", "")
    found = importing.report(batch_id, request.args.get("page", 1, type=int), state)
    return render_template("curation/importing/import.html", report=found, state=state, states=_states())


@bp.get("/import/<int:batch_id>.csv")
def table(batch_id: int) -> Response:
    """Download the whole report."""
    rows = [[line.line, line.state, line.puzzle_id or "", line.detail] for line in importing.whole(batch_id)]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([["line", "state", "puzzle", "detail"], *rows])
    disposition = {"Content-Disposition": f"attachment; filename=import-{batch_id}.csv"}
    return Response(out.getvalue(), content_type="text/csv; charset=utf-8", headers=disposition)


def _small(content: bytes) -> BytesIO:
    if len(content) > importing.LARGEST:
        raise BadInput(text=_("That’s too large. The limit is 1 MiB."))
    return BytesIO(content)


def _page(text: str, errors: dict[str, str]) -> str:
    found, wrong = filters.read()
    asked = bool(filters.address_of(found))
    return render_template(
        "curation/importing/importing.html",
        text=text[: importing.LARGEST],
        errors=errors,
        imports=importing.latest(),
        most=importing.MOST_PUZZLES,
        export=found if asked or wrong else Filters(status=Status.APPROVED),
        fitting=exporting.count(found) if asked and not wrong else None,
        wrong=wrong,
        on_paper=bank.MOST_PRINTED,
        techniques=[(key, technique_name(key)) for key in engine.TECHNIQUES],
        statuses=[(status.value, status_word(status.value)) for status in CURATED],
        kinds=[(kind, kind_name(kind)) for kind in exporting.OFFERED],
    )


def _states() -> dict[str, str]:
    return {
        LineState.NEW: _("New"),
        LineState.DUPLICATE: _("Duplicate"),
        LineState.NOT_UNIQUE: _("Not unique"),
        LineState.INVALID: _("Invalid"),
    }


def status_word(status: str) -> str:
    """Return the display name of a status."""
    words = {
        "candidate": _("Candidates"),
        "approved": _("Approved"),
        "rejected": _("Rejected"),
        "daily": _("Dailies"),
    }
    return words[status]


def kind_name(kind: str) -> str:
    """Return the display name of a format."""
    return {
        "sdm": _("SadMan Sudoku collection (.sdm)"),
        "csv": _("Table (.csv)"),
        "json": _("JSON, one object per line (.jsonl)"),
        "opensudoku": _("OpenSudoku (.opensudoku)"),
    }[kind]
