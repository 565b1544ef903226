"""Leagues: weekly and monthly seasons, and all-time records."""

from __future__ import annotations

from webapp.capability import Capability, Link, Panel, Records
from webapp.competition.leagues import leagues, routes, seasons
from webapp.models import LeagueMember, LeaguePlayer
from webapp.process.jobs import DAILY, Job, stopping
from webapp.process.words import gettext as _

CAPABILITY = Capability(
    key="leagues",
    optional=True,
    tab="leaderboard.show",
    pages=(routes.bp,),
    links=(Link("leaderboard", "leagues.index", lambda: _("Leagues"), position=2),),
    panels=(
        Panel("privacy: accounts", "competition/leagues/_privacy.html", lambda _about: {}),
        Panel("rules", "competition/leagues/_rules.html", lambda _about: {}),
    ),
    jobs=(Job("turn_seasons", DAILY, lambda now: seasons.turn(now, stopping().is_set)),),
    records=(
        Records(LeaguePlayer, "league_memberships", ("period", "tier", "joined_at")),
        Records(LeagueMember),
    ),
    exported=lambda player_id: iter([("leagues", leagues.exported(player_id))]),
)
