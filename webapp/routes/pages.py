"""Pages that need no player and no database."""

from __future__ import annotations

from flask import Blueprint, render_template

bp = Blueprint("pages", __name__)


@bp.get("/patterns")
def patterns() -> str:
    """Every component of the site on one page, for whoever changes how it looks."""
    return render_template("pages/patterns.html")
