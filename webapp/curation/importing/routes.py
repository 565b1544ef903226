"""Routes of import and export: a file or pasted text of puzzles, its columns, the report, the forms."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Any, BinaryIO, cast

from flask import Blueprint, Response, redirect, render_template, request, stream_with_context, url_for
from werkzeug.wrappers import Response as BaseResponse

import engine
from engine.formats import cell
from webapp.bank import exporting, offer
from webapp.bank.selection import CURATED, Filters
from webapp.curation import curation
from webapp.curation.importing import importing, large, printing, reading, uploads
from webapp.curation.importing.reading import Columns
from webapp.curation.queue import filters
from webapp.curation.team.access import curator
from webapp.game.steps.names import technique_name
from webapp.identity.players import Identity
from webapp.models import Import, ImportLine, ImportState, LineState, Status
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _
from webapp.process.words import pgettext
from webapp.web import auth
from webapp.web.htmx import wants_fragment
from webapp.web.inputs import row_number

bp = Blueprint("importing", __name__)

bp.teardown_request(large.end)

AROUND = 64 * 1024  # bytes of a form in addition to the puzzles
FIELDS = ("puzzle", *reading.FACTS)


@bp.url_value_preprocessor
def allow_more(endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Allow larger forms for this route only, and only for curators, before anything parses them.

    A file is streamed to disk; only the form's other fields are kept in memory. A chunked form gets the usual
    limit, since its length is unknown.
    """
    person = auth.who() if endpoint == "admin.importing.take" else None
    if person is not None and person.curator and request.content_length is not None:
        large.begin()
        request.max_content_length = uploads.LARGEST + AROUND
        request.max_form_memory_size = importing.SMALL + AROUND


@bp.get("/import")
def show() -> str:
    """Show both forms, with the filters of the address, and the latest imports."""
    return _page("", {})


@bp.post("/import")
def take() -> BaseResponse | tuple[str, int]:
    """Import the puzzles of `file` or `text`: a small one at once, a large one by the workers.

    With `choose=1`, or for a table with an unknown header, its columns are chosen first.
    """
    person = curator()
    text, file = request.form.get("text", ""), request.files.get("file")
    try:
        if file is not None and file.filename:
            address = _taken(cast(BinaryIO, file.stream), file.filename, person)
        elif text.strip():
            content = text.encode("utf-8", "replace")
            if len(content) > importing.SMALL:
                raise BadInput(text=_("That’s too much text. Choose a file instead."))
            address = _taken(BytesIO(content), _("Pasted text"), person)
        else:
            raise BadInput(text=_("Choose a file or paste some text."))
    except BadInput as error:
        return _page(text, error.fields), 422
    return redirect(address, 303)


def _taken(stream: BinaryIO, name: str, person: Identity) -> str:
    """Import a stream or store it. Returns the address to continue at. Raises BadInput."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    if size > uploads.LARGEST:
        raise BadInput(text=uploads.too_large())
    sample = stream.read(reading.SAMPLE)
    stream.seek(0)
    if size and (request.form.get("choose") == "1" or reading.is_unknown_table(sample)):
        batch = uploads.keep(stream, name, person, now(), waits=True)
        return url_for("admin.importing.columns", batch_id=batch)
    batch, _done = importing.accept(stream, name, person, now())
    return url_for("admin.importing.report", batch_id=batch)


@bp.get("/import/<int:batch_id>/columns")
def columns(batch_id: int) -> str | BaseResponse:
    """Show the first rows of a table; `?delimiter= ?header= ?puzzle= ?title= ...` choose its columns."""
    batch = uploads.of_id(batch_id)
    if batch.state != ImportState.WAITING:
        return redirect(url_for("admin.importing.report", batch_id=batch_id), 303)
    return _columns_page(batch, _columns(request.args) if request.args else None)


@bp.post("/import/<int:batch_id>/columns")
def begin(batch_id: int) -> BaseResponse:
    """Import the table with these columns, or with `auto=1` in whatever format is recognized."""
    chosen = None if request.form.get("auto") == "1" else _columns(request.form)
    uploads.begin(batch_id, chosen)
    return redirect(url_for("admin.importing.report", batch_id=batch_id), 303)


def _columns(form: Mapping[str, str]) -> Columns:
    """Read the columns of a form. Raises BadInput."""
    delimiter = {"tab": "\t"}.get(form.get("delimiter", ","), form.get("delimiter", ","))
    if delimiter not in reading.DELIMITERS:
        raise BadInput(delimiter=_("Choose one of the separators."))
    places: dict[str, int | None] = {}
    for name in FIELDS:
        text = form.get(name, "")
        number = row_number(text) if text else 0
        if number is None or number > reading.MOST_COLUMNS:
            raise BadInput(**{name: _("Choose one of the columns.")})
        places[name] = number - 1 if number else None
    puzzle = places.pop("puzzle")
    if puzzle is None:
        raise BadInput(puzzle=_("Choose the column with the puzzles."))
    return Columns(delimiter, form.get("header") == "1", puzzle, **places)


def _columns_page(batch: Import, asked: Columns | None) -> str:
    sample = uploads.sample(batch.id, reading.SAMPLE)
    preview = reading.preview(sample, asked) or reading.preview(sample, Columns(",", False, 0))
    if preview is not None:  # another curator's file may show a daily
        curation.saw(curator().id, importing.with_givens(preview.givens), now())
    return render_template(
        "curation/importing/columns.html",
        batch=batch,
        preview=preview,
        fields=[(name, field_name(name)) for name in FIELDS],
        delimiters=[(",", _("Comma")), (";", _("Semicolon")), ("tab", _("Tab")), ("|", _("Vertical bar"))],
    )


@bp.get("/import/<int:batch_id>")
def report(batch_id: int) -> str | BaseResponse:
    """Show the result of each line; `?state= ?page=`."""
    if uploads.of_id(batch_id).state == ImportState.WAITING:
        return redirect(url_for("admin.importing.columns", batch_id=batch_id), 303)
    return render_template("curation/importing/import.html", **_report(batch_id))


@bp.get("/import/<int:batch_id>/progress")
def progress(batch_id: int) -> str | BaseResponse:
    """Return the same as a fragment, which polls until the import has ended."""
    if not wants_fragment():
        return redirect(url_for("admin.importing.report", batch_id=batch_id), 303)
    return render_template("curation/importing/_report.html", **_report(batch_id))


@bp.post("/import/<int:batch_id>/cancel")
def cancel(batch_id: int) -> BaseResponse:
    """End an import and keep the puzzles stored so far."""
    uploads.cancel(batch_id, curator(), now())
    return redirect(url_for("admin.importing.report", batch_id=batch_id), 303)


def _report(batch_id: int) -> dict[str, Any]:
    state = request.args.get("state", "")
    found = importing.report(batch_id, request.args.get("page", 1, type=int), state)
    return {"report": found, "state": state, "states": _states(), "most": importing.MOST}


@bp.get("/import/<int:batch_id>.csv")
def table(batch_id: int) -> Response:
    """Download the whole report."""
    disposition = {"Content-Disposition": f"attachment; filename=import-{batch_id}.csv"}
    parts = stream_with_context(_table(importing.whole(batch_id)))
    return Response(parts, content_type="text/csv; charset=utf-8", headers=disposition)


def _table(rows: Iterator[ImportLine]) -> Iterator[str]:
    yield "line,state,puzzle,detail\n"
    for line in rows:
        out = io.StringIO()
        row = [line.file_line or line.line, line.state, line.puzzle_id or "", line.detail]
        csv.writer(out, lineterminator="\n").writerow(map(cell, row))
        yield out.getvalue()


def _page(text: str, errors: dict[str, str]) -> str:
    found, wrong = filters.read()
    asked = bool(filters.address_of(found))
    return render_template(
        "curation/importing/importing.html",
        text=text[: importing.SMALL],
        errors=errors,
        imports=importing.latest(),
        most=importing.MOST,
        largest=uploads.LARGEST >> 20,
        export=found if asked or wrong else Filters(status=Status.APPROVED),
        fitting=exporting.count(found, curation.MOST_COUNTED + 1) if asked and not wrong else None,
        wrong=wrong,
        on_paper=offer.MOST_PRINTED,
        in_pdf=printing.MOST,
        techniques=[(key, technique_name(key)) for key in engine.TECHNIQUES],
        statuses=[(status.value, status_word(status.value)) for status in CURATED],
        kinds=[(kind, kind_name(kind)) for kind in exporting.OFFERED],
    )


def field_name(name: str) -> str:
    """Return the display name of a column."""
    return {
        "puzzle": _("Puzzle"),
        "title": _("Title"),
        "author": _("Author"),
        "source": _("Source"),
        "stated_level": _("Level, as stated"),
    }[name]


def _states() -> dict[str, str]:
    return {
        LineState.NEW: _("New"),
        LineState.DUPLICATE: pgettext("line of an import", "Duplicate"),
        LineState.NOT_UNIQUE: _("Not unique"),
        LineState.INVALID: _("Invalid"),
    }


def status_word(status: str) -> str:
    """Return the display name of a status."""
    words = {
        "candidate": pgettext("puzzles waiting for a curator", "Candidates"),
        "approved": _("Approved"),
        "rejected": _("Rejected"),
        "daily": _("Dailies"),
        "withdrawn": _("Withdrawn"),
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
