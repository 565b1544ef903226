"""Your own puzzle: paste or type one, see whether it can be played, play it."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from webapp.htmx import wants_fragment
from webapp.services import bank, entered

bp = Blueprint("enter", __name__)


@bp.get("/enter")
def show() -> str:
    """An empty form, or what `?grid=` is: a puzzle that somebody shared."""
    return _judged(request.args.get("grid", ""))


@bp.post("/enter")
def judge() -> str:
    """What this text is; nothing is stored, so the answer is the page itself."""
    return _judged(request.form.get("grid", ""))


def _judged(text: str) -> str:
    entry = entered.judge(text) if text.strip() else None
    playable = entry is not None and entry.playable
    level = bank.level_by_givens(entry.grid.givens) if playable and entry.grid is not None else None
    template = "enter/_verdict.html" if wants_fragment() else "enter/show.html"
    return render_template(template, text=text, entry=entry, level=level)
