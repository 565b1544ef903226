"""Pages that need no player and no database."""

from __future__ import annotations

from functools import cache

from flask import Blueprint, current_app, render_template
from werkzeug.wrappers import Response

import engine
from engine import warm
from webapp.competition.daily import dailies
from webapp.competition.leaderboard import distribution
from webapp.competition.leaderboard.charts import Chart
from webapp.game import hints
from webapp.game.steps import StepView
from webapp.play.hint_views import CheckView, HintView
from webapp.process.clock import now
from webapp.site import guide
from webapp.web.assets import Assets

bp = Blueprint("pages", __name__)

PUZZLE = "..6.7.3..84..3.9....3....513..8...6..795...1.2...19.......6..9...725....6.....74."


@bp.get("/patterns")
def patterns() -> str:
    """Show every component of the players' pages, for design work; steps once compiled."""
    advice = None
    if warm.ready():
        position = engine.Position.from_grid(engine.parse(PUZZLE))
        step = StepView(_step(position), position)
        advice = HintView(hints.REASONING, (), (), step, carried_out=False, gave_up=False)
    check = CheckView((0, 1), (20,), went_back=False)
    chart = Chart(distribution.bars({420: 3, 435: 7, 450: 10, 465: 6, 480: 2}, own_second=462))
    today = dailies.today(now())
    return render_template(
        "site/patterns.html",
        givens=PUZZLE,
        picture=guide.pictures()[0],
        advice=advice,
        check=check,
        chart=chart,
        today=today,
    )


@cache
def _step(position: engine.Position) -> engine.Step:
    """Return the step to show, searched for once."""
    step = engine.next_step(position)
    assert step is not None
    return step


@bp.get("/sw.js")
def service_worker() -> Response:
    """Serve the service worker at the root, since its scope is limited to its own path."""
    assets: Assets = current_app.extensions["assets"]
    return Response(assets.text("sw.js"), mimetype="text/javascript")
