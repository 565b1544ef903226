"""The laboratory: the five systems generate a puzzle, or solve one side by side, at `?step=`."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

import engine
from webapp.identity import limits
from webapp.play.entered import AROUND, LARGEST_FILE
from webapp.play.lab import lab, making, solving, views
from webapp.play.lab.claims import claims
from webapp.play.lab.panel import Panel
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id
from webapp.web.htmx import wants_fragment
from webapp.web.inputs import row_number

bp = Blueprint("lab", __name__)

FIRST = "a"
EXAMPLE = "6.59.3..2.37.....8.4..687....3.1...4...2.9...5...4.2....685..2.8.....63.4..6.28.7"
FIGURE_1 = ".2816739464.32871517349.2683.4586172817.349562567194.34358.1629762953.4198164253."
FIGURE_2 = ".281.73.4.493287151734.52.8394586172817234956256719483435871629762953841981642537"
FIELDS = {"csrf_token", "grid", "puzzle", "file"}


@bp.url_value_preprocessor
def allow_a_file(endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Accept a file of the largest size, and the form around it."""
    if endpoint == "lab.take":
        request.max_content_length = LARGEST_FILE + AROUND


@bp.get("/lab")
def show() -> str | Response | tuple[str, int]:
    """Show the form alone, or `?grid=` with `?system=` a to e at `?step=`; redirect `?puzzle=` there."""
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
    panel = solving.panel_of(
        bench,
        _whole(request.args.get("step", "")),
        view=request.args.get("view", ""),
        zoom=_whole(request.args.get("zoom", "")),
    )
    if wants_fragment():
        return render_template("play/lab/_reply.html", panel=panel, address=_address)
    return render_template(
        "play/lab/show.html",
        solution=views.rows_of_digits(bench.solution),
        panel=panel,
        rows=views.rows_of(bench),
        words=views.solutions_words(bench),
        address=_address,
        **_form({}),
    )


@bp.get("/lab/make")
def make() -> str | tuple[str, int]:
    """Show a system, `?system=` a to e, generating the puzzle of `?seed=`, at `?step=`."""
    try:
        wish = making.wish_of(request.args)
        trace = making.made(wish, limits.network(request.remote_addr), now())
    except BadInput as error:
        return render_template("play/lab/make.html", errors=error.fields, values=request.args), 422
    panel = making.Making(wish, trace, _whole(request.args.get("step", "")))
    if wants_fragment():
        return render_template("play/lab/_reply.html", panel=panel, address=_address)
    return render_template("play/lab/make.html", panel=panel, address=_address, errors={}, values={})


@bp.get("/lab/claims")
def read() -> str:
    """Show the five papers' claims and their reproduction here."""
    systems = [
        (letter, views.system_name(letter), views.sources_of(each), claims()[letter])
        for letter, each in lab.SYSTEMS.items()
    ]
    return render_template("play/lab/claims.html", systems=systems)


@bp.get("/lab/solution")
def save() -> Response:
    """The solution of `?grid=` as a file of nine lines."""
    grid = lab.of_text(request.args.get("grid", ""), current_player_id(), now())
    found = lab.solved(grid, current_player_id(), limits.network(request.remote_addr), now())
    text = "\n".join(views.rows_of_digits(found)) + "\n"
    headers = {"Content-Disposition": "attachment; filename=solution.txt"}
    return Response(text, mimetype="text/plain", headers=headers)


@bp.post("/lab")
def take() -> Response | tuple[str, int]:
    """Take a text, a file or a puzzle number, and redirect to its page."""
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
        "examples": [
            (_("An example that all five solve"), EXAMPLE),
            (_("Figure 1 of Creating Sudoku Puzzles"), FIGURE_1),
            (_("A decision tree as in its figure 2: six empty cells, two solutions"), FIGURE_2),
        ],
        "systems": [
            (views.system_name(letter), views.sources_of(each)) for letter, each in lab.SYSTEMS.items()
        ],
    }


def _address(panel: Panel, **other: Any) -> str:
    """Return the address of a panel with some parameters changed."""
    return url_for(panel.endpoint, **(panel.query | {"step": panel.step} | other))


def _whole(text: str) -> int:
    """Parse a step number of an address; 0 for anything else."""
    return row_number(text) or 0
