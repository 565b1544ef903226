"""The laboratory: the five systems make a puzzle, or solve one side by side, at `?step=`."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, render_template, request, url_for

from webapp.identity import limits
from webapp.play.lab import lab, making, solving, systems
from webapp.play.lab.panel import Panel
from webapp.play.lab.systems import SYSTEMS, source_of, system_name
from webapp.process.clock import now
from webapp.process.config import ROOT
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id
from webapp.web.htmx import wants_fragment
from webapp.web.inputs import row_number

bp = Blueprint("lab", __name__)

EXAMPLE = "6.59.3..2.37.....8.4..687....3.1...4...2.9...5...4.2....685..2.8.....63.4..6.28.7"
FIGURE_1 = ".2816739464.32871517349.2683.4586172817.349562567194.34358.1629762953.4198164253."
FIGURE_2 = ".281.73.4.493287151734.52.8394586172817234956256719483435871629762953841981642537"


@bp.get("/lab")
def show() -> str | tuple[str, int]:
    """Show the examples and the form; or `?grid=`, by default an example, solved by `?system=` a to e."""
    text = request.args.get("grid", "").strip() or (EXAMPLE if "system" in request.args else "")
    examples = [
        (_("A puzzle that all five solve"), EXAMPLE),
        (_("Figure 1 of Creating Sudoku Puzzles"), FIGURE_1),
        (_("A tree as in its figure 2: six empty cells, two solutions"), FIGURE_2),
    ]
    page: dict[str, Any] = {"text": text, "error": "", "examples": examples, "systems": _systems()}
    if not text:
        return render_template("play/lab/show.html", **page)
    letter = request.args.get("system", "a")
    letter = letter if letter in SYSTEMS else "a"
    try:
        grid = lab.of_text(text, current_player_id(), now())
    except BadInput as error:
        page["error"] = error.fields["grid"]
        return render_template("play/lab/show.html", **page), 422
    bench = lab.bench(grid, letter, current_player_id(), _who(), now())
    panel = solving.panel_of(bench, row_number(request.args.get("step", "")) or 0)
    if wants_fragment():
        return render_template("play/lab/_reply.html", panel=panel, address=_address)
    page |= {"panel": panel, "rows": solving.beside(bench), "words": solving.words_of(bench), "bench": bench}
    return render_template("play/lab/show.html", address=_address, **page)


@bp.get("/lab/make")
def make() -> str | tuple[str, int]:
    """Show `?system=` a to e making the puzzle of `?seed=` at `?step=`; the last step if none is given."""
    try:
        recipe, method, seed = systems.recipe_of(request.args)
        found = lab.made(recipe, method, seed, _who(), now())
    except BadInput as error:
        return render_template("play/lab/make.html", errors=error.fields, systems=_systems()), 422
    if isinstance(found, int):
        further = systems.query_of(recipe, method, found)
        words = making.waiting(recipe, found)
        return render_template("play/lab/make.html", waiting=words, further=further, systems=_systems())
    panel = making.Making(found, row_number(request.args.get("step", "")) or 0)
    page = "play/lab/_reply.html" if wants_fragment() else "play/lab/make.html"
    return render_template(page, panel=panel, address=_address, systems=_systems())


@bp.get("/lab/claims")
def read() -> Response:
    """Send the document that compares the five texts' claims with what we measured."""
    return Response((ROOT / "docs" / "literature.md").read_text("utf-8"), mimetype="text/plain")


@bp.get("/lab/solution")
def save() -> Response:
    """The solution of `?grid=` as a file of nine lines."""
    grid = lab.of_text(request.args.get("grid", ""), current_player_id(), now())
    found = lab.bench(grid, "a", current_player_id(), _who(), now()).solution
    if found is None:
        raise NotFound(_("This puzzle doesn’t have one solution."))
    text = "".join(f"{str(found)[start : start + 9]}\n" for start in range(0, 81, 9))
    headers = {"Content-Disposition": "attachment; filename=solution.txt"}
    return Response(text, mimetype="text/plain", headers=headers)


def _who() -> str:
    return limits.network(request.remote_addr)


def _systems() -> list[tuple[str, str, Any]]:
    return [(letter, system_name(letter), source_of(letter)) for letter in SYSTEMS]


def _address(panel: Panel, **other: Any) -> str:
    """Return the address of a panel with some parameters changed."""
    return url_for(panel.endpoint, **(panel.query | {"step": panel.step or None} | other))
