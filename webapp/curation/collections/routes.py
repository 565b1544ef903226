"""Routes of collections at the desk: the list, and one to edit."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.curation import curation
from webapp.curation.collections import editing
from webapp.curation.collections.editing import Fields
from webapp.curation.team.access import curator
from webapp.process.clock import now
from webapp.process.errors import BadInput, Changed
from webapp.process.words import gettext as _
from webapp.web.htmx import Answer
from webapp.web.inputs import read_day, row_number

bp = Blueprint("collections", __name__)


@bp.get("/collections")
def index() -> str:
    """Show all collections, and a form for a new one."""
    return _index({})


@bp.post("/collections")
def create() -> Answer:
    """Create a collection with this `title`."""
    try:
        made = editing.create(curator(), request.form.get("title", ""), now())
    except BadInput as error:
        return _index(error.fields), 422
    return redirect(url_for(".show", collection_id=made), 303)


@bp.get("/collections/<int:collection_id>")
def show(collection_id: int) -> str:
    """Show a collection to edit. The curator can then no longer play its puzzles ranked."""
    return _page(collection_id, {})


@bp.post("/collections/<int:collection_id>")
def change(collection_id: int) -> Answer:
    """Change `title`, `text`, `author`, `publish_on`, `group` and `cover` (by number); `version`: the one
    seen.
    """
    form, wrong = request.form, dict[str, str]()

    def number(name: str) -> int | None:
        text = form.get(name, "").strip().removeprefix("#")
        found = row_number(text)
        if text and found is None:
            wrong[name] = _("Enter a number.")
        return found

    day = read_day(form.get("publish_on", ""))
    if form.get("publish_on") and day is None:
        wrong["publish_on"] = _("Choose a day.")
    group, cover = number("group"), number("cover")
    fields = Fields(form.get("title", ""), form.get("text", ""), form.get("author", ""), day, group, cover)
    try:
        if wrong:
            raise BadInput(**wrong)
        editing.change(curator(), collection_id, _version(), fields, now())
    except BadInput as error:
        return _page(collection_id, error.fields), 422
    except Changed as error:
        return _page(collection_id, {"version": str(error)}), 409
    return _back(collection_id)


@bp.post("/collections/<int:collection_id>/puzzles")
def add(collection_id: int) -> Answer:
    """Add approved puzzles at the end: `puzzles`, numbers such as `12, 15-20`."""
    try:
        editing.add(curator(), collection_id, editing.numbers_of(request.form.get("puzzles", "")), now())
    except BadInput as error:
        return _page(collection_id, error.fields), 422
    return _back(collection_id)


@bp.post("/collections/<int:collection_id>/puzzles/<int:puzzle_id>")
def arrange(collection_id: int, puzzle_id: int) -> Answer:
    """Move a puzzle up or down, or remove it, by `do`; `version`: the one seen."""
    by = {"up": -1, "down": 1}.get(request.form.get("do", ""))
    try:
        if by is not None:
            editing.move(curator(), collection_id, puzzle_id, _version(), by, now())
        elif request.form.get("do") == "remove":
            editing.remove(curator(), collection_id, puzzle_id, now())
        else:
            raise BadInput(do=_("Choose what to do."))
    except BadInput as error:
        return _page(collection_id, error.fields), 422
    except Changed as error:
        return _page(collection_id, {"version": str(error)}), 409
    return redirect(url_for(".show", collection_id=collection_id, _anchor="puzzles"), 303)


@bp.post("/collections/<int:collection_id>/withdrawal")
def withdraw(collection_id: int) -> Answer:
    """Withdraw it for a `reason`, or offer it again with `do` restore; `version`: the one seen."""
    try:
        if request.form.get("do") == "restore":
            editing.restore(curator(), collection_id, _version(), now())
        else:
            reason = request.form.get("reason", "")
            editing.withdraw(curator(), collection_id, _version(), reason, now())
    except BadInput as error:
        return _page(collection_id, error.fields), 422
    except Changed as error:
        return _page(collection_id, {"version": str(error)}), 409
    return _back(collection_id)


@bp.post("/collections/<int:collection_id>/removal")
def delete(collection_id: int) -> Answer:
    """Delete it; `version`: the one seen."""
    try:
        editing.delete(curator(), collection_id, _version(), now())
    except Changed as error:
        return _page(collection_id, {"version": str(error)}), 409
    return redirect(url_for(".index", deleted=1), 303)


def _version() -> int:
    version = row_number(request.form.get("version", ""))
    if version is None:
        raise BadInput(version=_("version: expected a number"))
    return version


def _back(collection_id: int) -> Response:
    return redirect(url_for(".show", collection_id=collection_id), 303)


def _index(errors: dict[str, str]) -> str:
    return render_template(
        "curation/collections/index.html",
        collections=editing.everything(),
        today=now().date(),
        errors=errors,
        form=request.form,
        deleted="deleted" in request.args,
    )


def _page(collection_id: int, errors: dict[str, str]) -> str:
    collection, puzzles = editing.collection(collection_id), editing.puzzles(collection_id)
    curation.saw(curator().id, [puzzle.id for puzzle in puzzles], now())
    return render_template(
        "curation/collections/collection.html",
        collection=collection,
        puzzles=puzzles,
        today=now().date(),
        errors=errors,
        form=request.form,
    )
