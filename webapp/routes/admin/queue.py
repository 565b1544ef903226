"""The queue: candidates to be judged."""

from __future__ import annotations

from flask import Blueprint, render_template

bp = Blueprint("queue", __name__)


@bp.get("/")
def show() -> str:
    """Candidates as a table."""
    return render_template("admin/queue.html")
