"""Routes for entered puzzles: paste or type one, check it, play it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request

from webapp.bank import ratings
from webapp.game.steps.names import technique_name
from webapp.play import entered
from webapp.process.clock import now
from webapp.web.htmx import wants_fragment

bp = Blueprint("enter", __name__)


@bp.url_value_preprocessor
def allow_a_file(endpoint: str | None, _values: dict[str, Any] | None) -> None:
    """Take as much as a file may hold, and the form around it."""
    if endpoint == "enter.judge":
        request.max_content_length = entered.LARGEST_FILE + entered.AROUND


@bp.get("/enter")
def show() -> str:
    """Show an empty form, or the shared puzzle of `?grid=`."""
    return _judged(request.args.get("grid", ""))


@bp.post("/enter")
def judge() -> str:
    """What this text or file is; nothing is stored, so the answer is the page itself."""
    file = request.files.get("file")
    if file is not None and file.filename:
        return _page(entered.judge_file(file.stream.read(entered.LARGEST_FILE + 1), now()))
    cells = request.form.getlist("cell")
    typed = "".join(cell.strip() or "." for cell in cells) if any(cell.strip() for cell in cells) else ""
    return _judged(typed or request.form.get("grid", ""), board_typed=bool(cells))


def _judged(text: str, *, board_typed: bool = False) -> str:
    entry = entered.judge(text, now()) if text.strip() else None
    return _page(entry, text="" if board_typed else text, typed=board_typed)


def _page(entry: entered.Judgment | None, *, text: str = "", typed: bool = False) -> str:
    rating = ratings.rating_of(entry.grid) if entry and entry.playable and entry.grid is not None else None
    return render_template(
        "play/entered/_reply.html" if wants_fragment() else "play/entered/show.html",
        text=text,
        entry=entry,
        rating=rating,
        level=None if rating is None else rating.level,
        hardest=technique_name(rating.hardest) if rating and rating.hardest else "",
        typed=typed,
    )
