"""Routes of the analysis board: a form to paste a position, and the page of one. All are read-only."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, current_app, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

import engine
from webapp.identity import costs, limits
from webapp.learn.analysis import analysis, pictures, states
from webapp.learn.analysis.analysis import Secret
from webapp.learn.analysis.states import State
from webapp.learn.analysis.views import Board
from webapp.learn.path import path_of
from webapp.process.clock import now
from webapp.process.errors import BadAddress, NotReady
from webapp.process.words import gettext as _
from webapp.process.words import unread
from webapp.web.auth import current_player_id
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.inputs import row_number

bp = Blueprint("analysis", __name__)

EXAMPLE = ".1.8..6...98...........75....2.5...6.7319..2.....3..8.2.......3..7..3...8..9.1..."
AT_ONCE = 0.3  # seconds to wait for each slow part; htmx polls for the rest
CHANGES = ("place", "strike", "clear")
AN_HOUR = 3600  # seconds
AGAIN = 5  # seconds after which a browser requests a picture again that wasn't ready


@bp.app_errorhandler(Secret)
def answer_secret(error: Secret) -> tuple[str, int]:
    return render_template("learn/analysis/show.html", **_form(refused=error)), 409


@bp.get("/analysis")
def show() -> Answer:
    """Show the form alone, or the position of `?grid=` in any format with `?colors=`, `?candidates=` and
    `?note=`.

    `?cell=` selects a cell and `?digit=` one of its candidates to color, `?technique=` and `?number=` or
    `?step=` show a step. `?place=cell:digit`, `?strike=` and `?clear=` redirect to the changed position.
    """
    args = request.args
    text = args.get("grid", "").strip()
    if not text:
        return render_template("learn/analysis/show.html", **_form())
    try:
        state = states.read(
            text, args.get("colors", ""), args.get("note", "").strip(), args.get("candidates", "")
        )
    except engine.PuzzleFormatError as error:
        wrong = unread(error)
        return render_template("learn/analysis/show.html", **_form(text=text, wrong=wrong)), 422
    cell = row_number(args.get("cell", ""))
    cell = cell if cell is not None and cell < 81 else None
    for kind in CHANGES:
        if kind in args:
            after, done = state.with_change(kind, args[kind])
            return redirect(url_for(".show", **after.query, cell=cell, done=done))
    found = analysis.analyze(state, current_player_id(), now(), AT_ONCE)
    board = Board(
        found,
        cell=cell,
        digit=row_number(args.get("digit", "")),
        technique=args.get("technique", ""),
        number=row_number(args.get("number", "")),
        step=row_number(args.get("step", "")),
        done=args.get("done", "")[:40],
    )
    template = "learn/analysis/_panels.html" if wants_fragment() else "learn/analysis/show.html"
    return render_template(template, board=board, **_form(text=text))


@bp.get("/analysis/board.svg")
def svg() -> Response:
    """Return the position of `?grid=` with its colors, or at `?step=` of its path, as SVG."""
    state, step = _pictured()
    return _picture(pictures.svg(state, step).encode(), "image/svg+xml")


@bp.get("/analysis/board.png")
def png() -> Response:
    """Return the same as PNG."""
    state, step = _pictured()
    return _picture(pictures.png(state, step), "image/png")


@bp.get("/analysis/path.gif")
def gif() -> Response:
    """Return the path from the position of `?grid=` as GIF; until it is drawn, a page saying so."""
    state, _step = _pictured()
    drawn = pictures.animated(state.position)
    if drawn is None:
        # Most take two seconds. No request waits for the others: the browser retries until it is there.
        return make_response(render_template("learn/analysis/drawing.html"), 202, {"Refresh": str(AGAIN)})
    return _picture(drawn, "image/gif")


def _pictured() -> tuple[State, engine.Step | None]:
    args = request.args
    try:
        state = states.read(
            args.get("grid", "").strip(), args.get("colors", ""), candidates=args.get("candidates", "")
        )
    except engine.PuzzleFormatError as error:
        raise BadAddress(unread(error)) from None
    analysis.refuse(state, current_player_id(), now())
    costs.demand(limits.WORK)
    number = row_number(request.args.get("step", ""))
    if not number or not analysis.verdict(state).solvable:
        return state, None
    found = path_of(state.position)
    if found is None:
        raise NotReady(_("We’re still drawing this one. Try again in a minute."))
    if number > len(found):
        return state, None
    step, position = found[number - 1]
    return State(position), step


def _picture(content: bytes, kind: str) -> Response:
    answer = current_app.response_class(content, mimetype=kind)
    answer.add_etag()
    answer.headers["Cache-Control"] = f"private, max-age={AN_HOUR}"
    return answer.make_conditional(request)


def _form(text: str = "", wrong: str = "", refused: Secret | None = None) -> dict[str, Any]:
    return {
        "text": text,
        "wrong": wrong,
        "refused": refused,
        "example": EXAMPLE,
        "longest": states.LONGEST_TEXT,
        "longest_note": states.LONGEST_NOTE,
    }
