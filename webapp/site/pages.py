"""Pages that need no player and no database."""

from __future__ import annotations

import json
from functools import cache

from flask import Blueprint, abort, current_app, render_template, url_for
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
from webapp.process.config import LOOPBACK, Settings
from webapp.process.words import gettext as _
from webapp.web.assets import Assets
from webapp.web.i18n import locale
from webapp.web.i18n.names import direction, tag_of

bp = Blueprint("pages", __name__)

PUZZLE = "..6.7.3..84..3.9....3....513..8...6..795...1.2...19.......6..9...725....6.....74."


@bp.get("/patterns")
def patterns() -> str:
    """Show every component of the players' pages, for design work at home. Steps need compiled kernels."""
    settings: Settings = current_app.extensions["settings"]
    if not settings.at_home or settings.host not in LOOPBACK:
        abort(404)
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
        advice=advice,
        check=check,
        chart=chart,
        today=today,
    )


@cache
def _step(position: engine.Position) -> engine.Step:
    """Return the example step, computed once."""
    step = engine.next_step(position)
    assert step is not None
    return step


@bp.get("/sw.js")
def service_worker() -> Response:
    """Serve the service worker at the root: its scope is limited to its own path."""
    assets: Assets = current_app.extensions["assets"]
    return Response(assets.text("sw.js"), mimetype="text/javascript")


@bp.get("/offline")
def offline() -> str:
    """Show the games that still work without a network, in the place of any page that can't be reached."""
    return render_template("site/offline.html")


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """Describe the installable app in the reader's language."""
    icon = current_app.extensions["assets"].url
    words = {
        "name": "Ninefold",
        "short_name": "Ninefold",
        "description": _("Sudoku with fair puzzles, hints that explain why, and new dailies every day."),
        "categories": ["games", "puzzle"],
        "lang": tag_of(locale()),
        "dir": direction(locale()),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f7f3ea",
        "theme_color": "#f7f3ea",
        "icons": [
            {"src": icon("icons/mark.svg"), "type": "image/svg+xml", "sizes": "any"},
            *(
                {
                    "src": icon(f"icons/icon-{size}.png"),
                    "type": "image/png",
                    "sizes": f"{size}x{size}",
                    "purpose": "any maskable",
                }
                for size in (192, 512)
            ),
        ],
        "shortcuts": [
            {"name": _("Today’s dailies"), "url": url_for("daily.show")},
            {"name": _("Play"), "url": url_for("play.index")},
            {"name": _("Leaderboard"), "url": url_for("leaderboard.show")},
        ],
    }
    return Response(json.dumps(words, ensure_ascii=False), mimetype="application/manifest+json")
