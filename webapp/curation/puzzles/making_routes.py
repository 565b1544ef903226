"""Orders and imports: where new puzzles come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict

import engine
from engine.generation import ANY
from webapp.bank import bank
from webapp.curation.access import curator
from webapp.curation.puzzles import imports, orders, puzzles, reading
from webapp.curation.puzzles.reading import Columns
from webapp.curation.puzzles.tables import Import, JobState, LineState
from webapp.curation.words import SYMMETRIES, symmetry_name
from webapp.game.steps.names import technique_name
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _
from webapp.process.words import pgettext
from webapp.web import auth
from webapp.web.downloads import download
from webapp.web.htmx import Answer
from webapp.web.i18n import level_name
from webapp.web.inputs import row_number

orders_bp = Blueprint("orders", __name__)
imports_bp = Blueprint("imports", __name__)

DEFAULTS = {"count": "10", "level": "4", "symmetry": ANY, "hardest": ""}
FIELDS = ("puzzle", *reading.FACTS)
AROUND = 64 * 1024  # bytes of a form in addition to the puzzles


@orders_bp.get("/orders")
def show() -> str:
    """Show the form, with the values of the address, and the latest orders."""
    return _orders(MultiDict({**DEFAULTS, **request.args.to_dict()}), {})


@orders_bp.post("/orders")
def place() -> Answer:
    """Place an order: `level`, `hardest`, `symmetry` and `count`."""
    form = request.form
    recipe: dict[str, Any] = {"symmetry": form.get("symmetry") or ANY}
    if form.get("level"):
        recipe["level"] = row_number(form["level"])
    if form.get("hardest"):
        recipe["hardest"] = form["hardest"]
    try:
        number = orders.place(curator(), recipe, row_number(form.get("count", "")) or 0, now())
    except BadInput as error:
        return _orders(form, error.fields), 422
    return redirect(url_for(".show", _anchor=f"order-{number}"), 303)


@orders_bp.post("/orders/<int:order_id>/cancel")
def cancel(order_id: int) -> Answer:
    """Cancel an order and keep its puzzles."""
    orders.cancel(curator(), order_id, now())
    return redirect(url_for(".show", _anchor=f"order-{order_id}"), 303)


def _orders(values: MultiDict[str, str], errors: Mapping[str, str]) -> str:
    latest = orders.latest()
    return render_template(
        "curation/orders.html",
        values=values,
        errors=errors,
        orders=[(order, orders.in_words(order)) for order in latest],
        running=any(order.state in orders.OPEN for order in latest),
        open=orders.OPEN,
        most=orders.MOST_COUNT,
        levels=[("", _("Any")), *((level, level_name(level)) for level in bank.LEVELS)],
        techniques=[("", _("Any")), *((key, technique_name(key)) for key in engine.TECHNIQUES)],
        symmetries=[(each, symmetry_name(each)) for each in SYMMETRIES],
        states=state_words(),
    )


def state_words() -> dict[str, str]:
    """Return the display names of the states of orders and imports."""
    return {
        JobState.WAITING: _("waiting for its columns"),
        JobState.QUEUED: _("waiting for a worker"),
        JobState.RUNNING: _("running"),
        JobState.DONE: pgettext("an order or import", "done"),
        JobState.CANCELLED: _("canceled"),
        JobState.FAILED: _("failed"),
    }


# Imports


@imports_bp.url_value_preprocessor
def allow_more(endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Allow larger forms for this route only, and only for curators, before anything parses them.

    A chunked form gets the usual limit, since its length is unknown.
    """
    person = auth.who() if endpoint == "admin.imports.take" else None
    if person is not None and person.curator and request.content_length is not None:
        request.max_content_length = imports.LARGEST + AROUND
        request.max_form_memory_size = imports.LARGEST + AROUND


@imports_bp.get("/import")
def begin() -> str:
    """Show the form and the latest imports."""
    return _imports("", {})


@imports_bp.post("/import")
def take() -> Answer:
    """Import the puzzles of `file` or `text`. A table with an unknown header waits for its columns."""
    text, file = request.form.get("text", ""), request.files.get("file")
    try:
        if file is not None and file.filename:
            data, name = file.stream.read(imports.LARGEST + 1), file.filename
        elif text.strip():
            data, name = text.encode("utf-8", "replace"), _("Pasted text")
        else:
            raise BadInput(text=_("Choose a file or paste some text."))
        number = imports.accept(data, name, curator(), now(), ask=True)
    except BadInput as error:
        return _imports(text, error.fields), 422
    return redirect(url_for(".report", batch_id=number), 303)


def _imports(text: str, errors: Mapping[str, str]) -> str:
    return render_template(
        "curation/import.html",
        text=text[:AROUND],
        errors=errors,
        imports=imports.latest(),
        most=imports.MOST,
        largest=imports.LARGEST >> 20,
        states=state_words(),
    )


@imports_bp.get("/import/<int:batch_id>")
def report(batch_id: int) -> str:
    """Show the result of each line, `?state= ?page=`; or while its columns are unknown, the form for them."""
    batch = imports.of_id(batch_id)
    if batch.state == JobState.WAITING:
        return _columns_page(batch)
    state = request.args.get("state", "")
    found = imports.report(batch, request.args.get("page", 1, type=int), state)
    numbers = [row[2] for row in found.rows if row[2]]
    return render_template(
        "curation/report_of_import.html",
        batch=batch,
        report=found,
        state=state,
        puzzles={puzzle.id: puzzle for puzzle in puzzles.puzzles(numbers)},
        at_work=batch.state in imports.OPEN,
        states=state_words(),
        results={
            LineState.NEW: _("New"),
            LineState.DUPLICATE: pgettext("line of an import", "Duplicate"),
            LineState.NOT_UNIQUE: _("Not unique"),
            LineState.INVALID: _("Invalid"),
        },
    )


@imports_bp.post("/import/<int:batch_id>")
def change(batch_id: int) -> Answer:
    """Begin a waiting import with its columns, or with `auto=1` in whatever format; or `cancel=1` it."""
    if request.form.get("cancel") == "1":
        imports.cancel(curator(), batch_id, now())
    else:
        imports.begin(batch_id, None if request.form.get("auto") == "1" else _columns(request.form))
    return redirect(url_for(".report", batch_id=batch_id), 303)


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


def _columns_page(batch: Import) -> str:
    sample = (batch.data or b"")[: reading.SAMPLE]
    preview = reading.preview(sample)
    # Another curator's file may show a daily
    puzzles.saw(curator().id, imports.with_givens(preview.givens), now())
    batch = imports.of_id(batch.id)
    names = {
        "puzzle": _("Puzzle"),
        "title": _("Title"),
        "author": _("Author"),
        "source": _("Source"),
        "stated_level": _("Level, as stated"),
    }
    numbers = {key: at + 1 for key in names if (at := getattr(preview.columns, key)) is not None}
    fields = [(key, name, numbers.get(key)) for key, name in names.items()]
    return render_template("curation/columns.html", batch=batch, preview=preview, fields=fields)


@imports_bp.get("/import/<int:batch_id>.csv")
def table(batch_id: int) -> Response:
    """Download the whole report."""
    parts = imports.table(imports.of_id(batch_id))
    return download(parts, "text/csv; charset=utf-8", f"import-{batch_id}.csv")
