"""The home page: games in progress, and a new puzzle by level or technique."""

from __future__ import annotations

from flask import Blueprint, render_template

from webapp.bank import bank
from webapp.competition.daily import dailies
from webapp.competition.daily.views import DailyView
from webapp.game.steps.names import technique_name
from webapp.play import play
from webapp.play.views import summary_view
from webapp.process.clock import now
from webapp.web.auth import current_player_id

bp = Blueprint("home", __name__)


@bp.get("/")
def show() -> str:
    """Show the home page; writes nothing, not even a guest."""
    player_id, at = current_player_id(), now()
    view = summary_view(play.summary(player_id, at, most=5))
    today = [DailyView(entry) for entry in dailies.of_today(player_id, at).entries]
    ceilings = [(key, technique_name(key)) for key in bank.CEILINGS]
    levels = list(bank.LEVELS)
    return render_template("site/home.html", levels=levels, ceilings=ceilings, dailies=today, **view)
