"""The home page: what you have in play, and a new puzzle by level or by technique."""

from __future__ import annotations

from flask import Blueprint, render_template

from webapp.auth import current_player_id
from webapp.clock import now
from webapp.routes.daily_views import DailyView
from webapp.routes.views import summary_view
from webapp.services import bank, play
from webapp.services import daily as dailies
from webapp.steps.names import technique_name

bp = Blueprint("home", __name__)


@bp.get("/")
def show() -> str:
    """Home; writes nothing, not even a guest."""
    player_id, at = current_player_id(), now()
    view = summary_view(play.summary(player_id, at, most=5))
    today = [DailyView(entry) for entry in dailies.of_today(player_id, at).entries]
    ceilings = [(key, technique_name(key)) for key in bank.CEILINGS]
    levels = list(bank.LEVELS)
    return render_template("home/show.html", levels=levels, ceilings=ceilings, dailies=today, **view)
