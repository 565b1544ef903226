"""Your own puzzle: paste or type one, see whether it can be played, play it."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from webapp.bank import ratings
from webapp.game.steps.names import technique_name
from webapp.play import entered
from webapp.process.clock import now
from webapp.web.htmx import wants_fragment

bp = Blueprint("enter", __name__)


@bp.get("/enter")
def show() -> str:
    """An empty form, or what `?grid=` is: a puzzle that somebody shared."""
    return _judged(request.args.get("grid", ""))


@bp.post("/enter")
def judge() -> str:
    """What this text is; nothing is stored, so the answer is the page itself."""
    cells = request.form.getlist("cell")
    typed = "".join(cell.strip() or "." for cell in cells) if any(cell.strip() for cell in cells) else ""
    return _judged(typed or request.form.get("grid", ""), board_typed=bool(cells))


def _judged(text: str, *, board_typed: bool = False) -> str:
    entry = entered.judge(text, now()) if text.strip() else None
    rating = ratings.rating_of(entry.grid) if entry and entry.playable and entry.grid is not None else None
    return render_template(
        "play/entered/_reply.html" if wants_fragment() else "play/entered/show.html",
        text="" if board_typed else text,
        entry=entry,
        rating=rating,
        level=None if rating is None else rating.level,
        hardest=technique_name(rating.hardest) if rating and rating.hardest else "",
        typed=board_typed,
    )
