"""Routes for entered puzzles: paste or type one, check it, see how hard it is, play it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.bank import ratings
from webapp.game import exports
from webapp.game.steps.names import technique_name
from webapp.identity.aside import PATIENCE
from webapp.play import entered
from webapp.process.clock import now
from webapp.web.auth import current_player_id
from webapp.web.htmx import wants_fragment

bp = Blueprint("enter", __name__)

AT_ONCE = 0.1  # seconds the verdict waits for a rating; a longer one comes by itself
EMPTY = "." * 81


@bp.url_value_preprocessor
def allow_a_file(endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Take as much as a file may hold, and the form around it."""
    if endpoint == "enter.judge":
        request.max_content_length = entered.LARGEST_FILE + entered.AROUND


@bp.get("/enter")
def show() -> str:
    """Show an empty form, or the shared puzzle of `?grid=`."""
    text = request.args.get("grid", "")
    return _page(_judged(text), text=text)


@bp.post("/enter")
def judge() -> str:
    """Judge the file, the board where it differs from `was` as it was sent out, or else the text.

    Nothing is stored, so the answer is the page itself. Text and board come back alike.
    """
    form, file = request.form, request.files.get("file")
    if file is not None and file.filename:
        entry = entered.judge_file(file.stream.read(entered.LARGEST_FILE + 1), current_player_id(), now())
        return _page(entry, text=_line(entry), source="file")
    board = "".join(cell.strip().replace("0", "") or "." for cell in form.getlist("cell")) or EMPTY
    if board != form.get("was", EMPTY):
        text = board if board.strip(".") else ""
        return _page(_judged(text), text=text, source="board")
    text = form.get("grid", "")
    judged = _judged(text)
    # A board that shows the text already may have been gone on with since: it is left as it is.
    alike = (_line(judged) or EMPTY) == board
    return _page(judged, text=text, source="both" if alike else "text")


@bp.get("/enter/rating")
def rating() -> str | Response:
    """How hard the puzzle of `?grid=` is, for the verdict to ask until it is known; else its page."""
    text = request.args.get("grid", "")
    if not wants_fragment():
        return redirect(url_for(".show", grid=text or None))
    return render_template("play/entered/_rating.html", **_rated(_judged(text), PATIENCE))


def _judged(text: str) -> entered.Judgment | None:
    return entered.judge(text, current_player_id(), now()) if text.strip() else None


def _line(entry: entered.Judgment | None) -> str:
    return str(entry.grid) if entry and entry.grid is not None else ""


def _rated(entry: entered.Judgment | None, patience: float) -> dict[str, Any]:
    grid = entry.grid if entry is not None and entry.playable else None
    found = None if grid is None else ratings.rating_of(grid, patience)
    return {
        "entry": entry,
        "rating": found,
        "level": None if found is None else found.level,
        "hardest": technique_name(found.hardest) if found and found.hardest else "",
    }


def _page(entry: entered.Judgment | None, *, text: str, source: str = "text") -> str:
    """source: what was read, `text`, `board`, `file` or `both` text and board; the others follow it."""
    return render_template(
        "play/entered/_reply.html" if wants_fragment() else "play/entered/show.html",
        text=text,
        was=_line(entry) or EMPTY,
        source=source,
        exports=exports.of_grid(entry.grid, "ninefold") if entry and entry.playable and entry.grid else None,
        **_rated(entry, AT_ONCE),
    )
