"""Routes of the drawing table. Each sketch has an address, so that the browser's Back undoes."""

from __future__ import annotations

from flask import Blueprint, make_response, redirect, render_template, request, url_for

import engine
from engine.generation import Symmetry
from webapp.curation.queue.filters import SYMMETRIES
from webapp.curation.queue.views import symmetry_words
from webapp.curation.table import table
from webapp.curation.table.shapes import FIGURES, shape_of
from webapp.curation.table.sketch import Sketch
from webapp.curation.table.views import Table
from webapp.curation.team.access import curator
from webapp.game.steps.names import technique_name
from webapp.process.clock import now
from webapp.process.errors import BadAddress, BadInput
from webapp.process.words import gettext as _
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.inputs import row_number

bp = Blueprint("table", __name__)


@bp.get("/table")
def show() -> Answer:
    """Show the sketch of `?grid=` in any format, with `?locked=`, `?shape=` and `?symmetry=`.

    `?cell=` selects a cell, `?step=` shows a step of its path. `?set=cell:digit`, `?lock=cell`, `?mark=cell`
    and `?figure=` (a figure, a letter or empty) redirect to the changed sketch.
    """
    args = request.args
    sketch, cell = _sketch(), _cell("cell")
    after = sketch
    if "set" in args:
        at, digit = map(row_number, args["set"].partition(":")[::2])
        if at is None or digit is None or at > 80 or digit > 9:
            raise BadAddress(_("set: expected a cell and a digit, found “%(found)s”", found=args["set"][:20]))
        after = sketch.placed(at, digit)
    elif "lock" in args:
        after = sketch.toggled_lock(_cell("lock") or 0)
    elif "mark" in args:
        after = sketch.toggled_shape(_cell("mark") or 0)
    elif "figure" in args:
        text = args["figure"].strip() or args.get("typed", "").strip()
        try:
            after = Sketch(
                sketch.grid, sketch.locked, shape_of(text) if text else frozenset(), sketch.symmetry
            )
        except BadInput as error:
            return _page(sketch, errors=error.fields), 422
    else:
        return _page(sketch, cell=cell, step=args.get("step", type=int), done=args.get("done", "")[:40])
    return redirect(url_for(".show", **after.query, cell=cell), 303)


@bp.post("/table")
def finish() -> Answer:
    """Finish the sketch of the form: `how` complete, thin, minimal, empty, or need with `technique`."""
    sketch, how = _sketch(), request.form.get("how", "")
    try:
        technique = request.form.get("technique", "")
        after = sketch.cleared() if how == "empty" else table.finished(sketch, how, technique)
    except BadInput as error:
        return _page(sketch, errors=error.fields), 422
    address = url_for(".show", **after.query)
    if not wants_fragment():
        return redirect(address, 303)
    response = make_response(_page(after))
    response.headers["HX-Push-Url"] = address
    return response


@bp.post("/table/candidates")
def keep() -> Answer:
    """Store the sketch of the form's address as a candidate with this `title`."""
    sketch = _sketch()
    try:
        made = table.keep(curator(), sketch, request.form.get("title", ""), now())
    except BadInput as error:
        return _page(sketch, errors=error.fields), 422
    return redirect(url_for("admin.puzzles.show", puzzle_id=made), 303)


def _sketch() -> Sketch:
    values = request.values
    names = ("grid", "locked", "shape", "symmetry")
    return Sketch.read(*(values.get(name, "").strip() for name in names))


def _cell(name: str) -> int | None:
    text = request.args.get(name, "")
    number = row_number(text) if text else None
    if text and (number is None or number > 80):
        raise BadAddress(
            _("%(name)s: expected a cell, 0 to 80, found “%(found)s”", name=name, found=text[:20])
        )
    return number


def _page(
    sketch: Sketch,
    *,
    cell: int | None = None,
    step: int | None = None,
    done: str = "",
    errors: dict[str, str] | None = None,
) -> str:
    template = "curation/table/_sketch.html" if wants_fragment() else "curation/table/table.html"
    return render_template(
        template,
        board=Table(sketch, cell=cell, step=step, done=done),
        errors=errors or {},
        form=request.form,
        symmetries=[
            ("none", symmetry_words([])),
            *((key, symmetry_words([Symmetry(key)])) for key in SYMMETRIES),
        ],
        techniques=[(key, technique_name(key)) for key in engine.TECHNIQUES],
        figures=[(key, figure_words(key)) for key in FIGURES],
    )


def figure_words(key: str) -> str:
    """Return the display name of a figure."""
    names = {
        "heart": _("Heart"),
        "diamond": _("Diamond"),
        "ring": _("Ring"),
        "cross": _("Cross"),
        "smile": _("Smile"),
    }
    return names[key]
