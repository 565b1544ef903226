"""Profile pages: public statistics, and a few more for the player."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.bank import bank
from webapp.competition.daily import streaks
from webapp.competition.daily.views import StreakView
from webapp.game.steps.names import technique_name
from webapp.people import profile as profiles
from webapp.people.profile_views import time_chart, weeks_until
from webapp.process.clock import now
from webapp.web.auth import current_player_id
from webapp.web.htmx import wants_fragment
from webapp.web.i18n.choice import first_weekday
from webapp.web.links import with_query

bp = Blueprint("players", __name__)

MOST_WEEKS = 12  # of the calendar


@bp.get("/players/<name>")
def show(name: str) -> str | Response:
    """Show the page; `?level=` filters the chart, `?view=public` shows players the public view."""
    as_others = request.args.get("view") == "public"
    profile = profiles.profile(name, current_player_id(), as_others=as_others)
    level = request.args.get("level", type=int)
    level = level if level in bank.LEVELS else None
    if profile.player.name != name:  # another spelling of the same name
        return redirect(
            with_query(url_for(".show", name=profile.player.name), request.args.items(multi=True)), 303
        )
    streak = StreakView(streaks.of(profile.player.id, now()), now())
    return render_template(
        "people/profile/_times.html" if wants_fragment() else "people/profile/show.html",
        profile=profile,
        level=level,
        chart=time_chart(profile.solves, level),
        weeks=weeks_until(now().date(), min(streak.days, default=None), MOST_WEEKS, first_weekday()),
        techniques=[(key, technique_name(key), count) for key, count in profile.techniques],
        as_others=as_others,
        streak=streak,
        today=now().date(),
        known={"player_id": profile.player.id, "viewer_id": current_player_id(), "now": now()},
    )
