"""Routes of puzzle rush: its leaderboard, a run, its answers; each is a form that works without
JavaScript.
"""

from __future__ import annotations

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.learn.rush import rush
from webapp.learn.rush.views import RunView
from webapp.models import RushRun
from webapp.process.clock import now
from webapp.process.errors import BadAddress, BadInput
from webapp.process.words import gettext as _
from webapp.web.auth import current, current_player_id, remember
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.inputs import row_number

bp = Blueprint("rush", __name__)


@bp.get("/rush")
def index() -> str:
    """Show the leaderboard of today or, with `?scope=all`, of all time."""
    scope = request.args.get("scope", "day")
    if scope not in rush.SCOPES:
        raise BadAddress(_("scope: expected day or all, found “%(found)s”", found=scope[:20]))
    player, at = current(), now()
    return render_template(
        "learn/rush/index.html",
        scope=scope,
        places=rush.leaderboard(scope, current_player_id(), at),
        best=rush.best(current_player_id(), at),
        removed=rush.removed(current_player_id()),
        named=player is not None and player.name is not None,
    )


@bp.post("/rush")
def start() -> Response:
    """Start a run."""
    run, player = rush.start(current_player_id(), now())
    remember(player)
    return redirect(url_for(".show", run_key=run.key), 303)


@bp.get("/rush/<run_key>")
def show(run_key: str) -> str:
    """Show the open question of a run, or its result."""
    return _page(rush.own(current_player_id(), run_key))


def _page(run: RushRun, problem: str = "") -> str:
    view = RunView(run, now())
    template = "learn/rush/_run.html" if wants_fragment() else "learn/rush/run.html"
    return render_template(template, run=view, problem=problem)


@bp.post("/rush/<run_key>/answers")
def answer(run_key: str) -> Answer:
    """Answer the question `number` with `digit`."""
    form, player_id = request.form, current_player_id()
    number, digit = row_number(form.get("number", "")), row_number(form.get("digit", ""))
    try:
        run = rush.answer(player_id, run_key, number, digit, now())
    except BadInput as error:
        return make_response(_page(rush.own(player_id, run_key), str(error)), 422)
    return _page(run) if wants_fragment() else redirect(url_for(".show", run_key=run_key), 303)
