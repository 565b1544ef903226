"""Routes for entered puzzles: paste or type one, check it, see its difficulty, play it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.bank import ratings
from webapp.game import exports
from webapp.game.steps.names import technique_name
from webapp.play import entered
from webapp.process.clock import now
from webapp.web.auth import current_player_id
from webapp.web.htmx import wants_fragment

bp = Blueprint("enter", __name__)

AT_ONCE = 0.1  # seconds the result waits for a rating; the page polls for a slower one
EMPTY = "." * 81


@bp.url_value_preprocessor
def allow_a_file(endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Accept a file of the largest size, and the form around it."""
    if endpoint == "enter.judge":
        request.max_content_length = entered.LARGEST_FILE + entered.AROUND


@bp.get("/enter")
def show() -> str:
    """Show an empty form, or the shared puzzle of `?grid=`."""
    text = request.args.get("grid", "")
    return _page(_checked(text), text=text)


@bp.post("/enter")
def judge() -> str:
    """Check the file, the board if it differs from `was`, its state when sent, or else the text.

    Nothing is stored, so the response is the page itself. Text and board come back equal.
    """
    form, file = request.form, request.files.get("file")
    if file is not None and file.filename:
        entry = entered.check_file(file.stream.read(entered.LARGEST_FILE + 1), current_player_id(), now())
        return _page(entry, text=_line(entry), source="file")
    board = "".join(cell.strip().replace("0", "") or "." for cell in form.getlist("cell")) or EMPTY
    if board != form.get("was", EMPTY):
        text = board if board.strip(".") else ""
        return _page(_checked(text), text=text, source="board")
    text = form.get("grid", "")
    checked = _checked(text)
    # A board that already shows the text may have been edited since: leave it as it is.
    alike = (_line(checked) or EMPTY) == board
    return _page(checked, text=text, source="both" if alike else "text")


@bp.get("/enter/rating")
def rating() -> str | Response:
    """Return the difficulty of the puzzle of `?grid=`, which the page polls; without htmx, the page."""
    text = request.args.get("grid", "")
    if not wants_fragment():
        return redirect(url_for(".show", grid=text or None))
    return render_template("play/entered/_rating.html", **_rated(_checked(text), None))


def _checked(text: str) -> entered.Checked | None:
    return entered.check(text, current_player_id(), now()) if text.strip() else None


def _line(entry: entered.Checked | None) -> str:
    return str(entry.grid) if entry and entry.grid is not None else ""


def _rated(entry: entered.Checked | None, patience: float | None) -> dict[str, Any]:
    grid = entry.grid if entry is not None and entry.playable else None
    found = None if grid is None else ratings.rating_of(grid, patience)
    return {
        "entry": entry,
        "rating": found,
        "level": None if found is None else found.level,
        "hardest": technique_name(found.hardest) if found and found.hardest else "",
    }


def _page(entry: entered.Checked | None, *, text: str, source: str = "text") -> str:
    """source: what was read, `text`, `board`, `file` or `both` text and board; the others are updated from
    it.
    """
    line, broken = _line(entry) or EMPTY, entry.broken_cells if entry else ()
    return render_template(
        "play/entered/_reply.html" if wants_fragment() else "play/entered/show.html",
        text=text,
        was=line,
        cells=[(digit.strip("."), cell in broken) for cell, digit in enumerate(line)],
        source=source,
        exports=exports.of_grid(entry.grid, "ninefold") if entry and entry.playable and entry.grid else None,
        **_rated(entry, AT_ONCE),
    )
