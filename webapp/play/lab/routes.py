"""The laboratory: a puzzle, the five systems side by side, and one of them step by step at `?step=`."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

import engine
from webapp.identity import limits
from webapp.play.entered import AROUND, LARGEST_FILE
from webapp.play.lab import lab, views
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id
from webapp.web.htmx import wants_fragment
from webapp.web.inputs import row_number

bp = Blueprint("lab", __name__)

FIRST = "a"
EXAMPLE = ".1.8..6...98...........75....2.5...6.7319..2.....3..8.2.......3..7..3...8..9.1..."
FIELDS = {"csrf_token", "grid", "puzzle", "file"}


@bp.url_value_preprocessor
def allow_a_file(endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Take as much as a file may hold, and the form around it."""
    if endpoint == "lab.take":
        request.max_content_length = LARGEST_FILE + AROUND


@bp.get("/lab")
def show() -> str | Response | tuple[str, int]:
    """The form alone, or `?grid=` with `?system=` a to e at `?step=`; `?puzzle=` leads there."""
    number = request.args.get("puzzle", "").strip()
    text = request.args.get("grid", "").strip()
    try:
        if number:
            return _to(_of_bank(number))
        if not text:
            return render_template("play/lab/show.html", **_form({}))
        grid = lab.of_text(text, current_player_id(), now())
    except BadInput as error:
        return _refused(error, {"grid": text, "puzzle": number})
    letter = request.args.get("system", FIRST)
    letter = letter if letter in lab.SYSTEMS else FIRST
    bench = lab.bench(grid, letter, current_player_id(), limits.network(request.remote_addr), now())
    panel = views.Panel(
        bench,
        _whole(request.args.get("step", "")),
        view=request.args.get("view", ""),
        zoom=_whole(request.args.get("zoom", "")),
    )
    if wants_fragment():
        return render_template("play/lab/_reply.html", panel=panel, address=_address)
    return render_template(
        "play/lab/show.html",
        panel=panel,
        rows=views.rows_of(bench),
        words=views.solutions_words(bench),
        address=_address,
        **_form({}),
    )


@bp.post("/lab")
def take() -> Response | tuple[str, int]:
    """A text, a file or the number of a puzzle of the bank, and to its page."""
    form = request.form
    file = request.files.get("file")
    values = {name: form.get(name, "").strip() for name in ("grid", "puzzle")}
    given = [name for name, value in values.items() if value]
    if file is not None and file.filename:
        given.append("file")
    try:
        for name in [*form, *request.files]:
            if name not in FIELDS:
                raise BadInput(grid=_("This form has no field “%(name)s”.", name=name[:40]))
        if not given:
            raise BadInput(grid=_("Enter a puzzle, give its number, or choose a file."))
        if len(given) > 1:
            raise BadInput(**{given[-1]: _("Use just one field: text, number or file.")})
        if given == ["file"]:
            assert file is not None
            grid = lab.of_file(file.stream.read(LARGEST_FILE + 1), current_player_id(), now())
        elif given == ["puzzle"]:
            grid = _of_bank(values["puzzle"])
        else:
            grid = lab.of_text(values["grid"], current_player_id(), now())
    except BadInput as error:
        return _refused(error, values)
    return _to(grid)


def _of_bank(text: str) -> engine.Grid:
    number = row_number(text)
    if number is None:
        raise BadInput(puzzle=_("Enter a puzzle number, like 214."))
    return lab.of_number(number, current_player_id(), now())


def _to(grid: engine.Grid) -> Response:
    return redirect(url_for("lab.show", grid=str(grid)), 303)


def _refused(error: BadInput, values: dict[str, str]) -> tuple[str, int]:
    return render_template("play/lab/show.html", **_form(error.fields, values)), 422


def _form(errors: dict[str, str], values: dict[str, str] | None = None) -> dict[str, Any]:
    return {
        "errors": errors,
        "values": values or {},
        "example": EXAMPLE,
        "systems": [
            (views.system_name(letter), views.sources_of(each)) for letter, each in lab.SYSTEMS.items()
        ],
    }


def _address(panel: views.Panel, **other: Any) -> str:
    """The page of a panel with something of it changed."""
    own: dict[str, Any] = {
        "grid": panel.line,
        "system": panel.letter,
        "step": panel.step,
        "view": "whole" if panel.whole else None,
        "zoom": panel.zoom if panel.zoom > 1 else None,
    }
    return url_for("lab.show", **(own | other))


def _whole(text: str) -> int:
    """A number of a step as addresses have it; 0 for anything else."""
    return row_number(text) or 0
