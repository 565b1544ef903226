"""The home page: what you have in play, and a new puzzle by level."""

from __future__ import annotations

from flask import Blueprint, render_template

from webapp.auth import current_player_id
from webapp.clock import now
from webapp.routes.views import summary_view
from webapp.services import bank, play

bp = Blueprint("home", __name__)


@bp.get("/")
def show() -> str:
    """Home; writes nothing, not even a guest."""
    view = summary_view(play.summary(current_player_id(), now(), most=5))
    return render_template("home/show.html", levels=list(bank.LEVELS), **view)
