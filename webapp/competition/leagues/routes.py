"""Routes of leagues: join, standings, past seasons, records."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.bank import bank
from webapp.competition.leagues import leagues
from webapp.models import Period
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import format_days
from webapp.process.words import gettext as _
from webapp.web.auth import current, current_player_id, named_player

bp = Blueprint("leagues", __name__)


@bp.get("/leagues")
def index() -> str:
    """Show the player's leagues, with their standings so far, and past seasons."""
    return _index()


@bp.post("/leagues/membership")
def membership() -> Response | tuple[str, int]:
    """Join or leave the leagues: `period` week or month, `member` yes or no."""
    player = named_player()
    form = request.form
    try:
        if form.get("period") not in (*Period,):
            raise BadInput(period=_("Choose weekly or monthly leagues."))
        period = Period(form["period"])
        if form.get("member") == "yes":
            leagues.join(player.id, period, now())
        elif form.get("member") == "no":
            leagues.leave(player.id, period)
        else:
            raise BadInput(member=_("Choose Join or Leave."))
    except BadInput as error:
        return _index(error.fields), 422
    return redirect(url_for(".index", _anchor=f"league-{period}"), 303)


def _index(errors: dict[str, str] | None = None) -> str:
    player = current()
    named = player is not None and player.name is not None
    return render_template(
        "competition/leagues/index.html",
        takings=leagues.of_player(player.id) if player is not None and named else None,
        past=leagues.past(player.id) if player is not None and named else [],
        own=current_player_id(),
        now=now(),
        errors=errors or {},
        days=format_days,
    )


@bp.get("/leagues/<int:league_id>")
def show(league_id: int) -> str:
    """Show a league of this season or a past one."""
    league = leagues.league(league_id)
    return render_template(
        "competition/leagues/show.html",
        standings=leagues.standings(league),
        neighbors=leagues.neighbors(league),
        own=current_player_id(),
        now=now(),
        days=format_days,
    )


@bp.get("/leagues/records")
def records() -> str:
    """Show the fastest times of each level."""
    return render_template(
        "competition/leagues/records.html",
        records=[(level, leagues.records(level)) for level in bank.LEVELS],
    )
