"""Routes of leaderboards: by day, week or all time, and by level. Filters are in the address."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from webapp.competition.leaderboard import days, scores
from webapp.competition.leaderboard.rows import Cursor
from webapp.competition.leaderboard.views import LeaderboardChoice, LeaderboardView
from webapp.models import Leaderboard
from webapp.models.daily import FIRST_DAY, LEVELS, today
from webapp.process.clock import now
from webapp.process.errors import BadAddress, NotFound
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id
from webapp.web.htmx import wants_fragment
from webapp.web.inputs import read_day
from webapp.web.shared import for_everybody

bp = Blueprint("leaderboard", __name__)

SCOPES = ("day", "week", "all")


@bp.get("/leaderboard")
@for_everybody
def show() -> str:
    """Show a leaderboard: `date`, `level`, `scope`, `list=archive`, `after` or `before` a row."""
    choice, player_id, at = read_choice(), current_player_id(), now()
    view = LeaderboardView.of(choice, player_id, at)
    template = (
        "competition/leaderboard/_reply.html" if wants_fragment() else "competition/leaderboard/show.html"
    )
    return render_template(template, board=view)


def read_choice(*, apart: bool = True) -> LeaderboardChoice:
    """Parse the address. Raises BadAddress naming the invalid part.

    apart: whether the list of practice and late times is available.
    """
    args, latest = request.args, today(now())
    scope = args.get("scope", "day")
    if scope not in SCOPES:
        raise BadAddress(_("scope: expected day, week or all, found “%(found)s”", found=scope[:20]))
    text = args.get("date", latest.isoformat())
    day = read_day(text)
    if day is None:
        raise BadAddress(_("date: expected one like 2026-03-01, found “%(found)s”", found=text[:20]))
    if not FIRST_DAY <= day <= latest:
        raise NotFound(_("There’s no leaderboard for that day."))
    text = args.get("level", str(LEVELS[0] if scope == "day" else 0))
    least = 1 if scope == "day" else 0
    if text not in map(str, range(least, 6)):
        raise BadAddress(_("level: expected %(least)s to 5, found “%(found)s”", least=least, found=text[:20]))
    listed = args.get("list", Leaderboard.DAY)
    if listed not in (Leaderboard.DAY, Leaderboard.ARCHIVE):
        raise BadAddress(_("list: expected day or archive, found “%(found)s”", found=listed[:20]))
    board = Leaderboard(listed) if scope == "day" and apart else Leaderboard.DAY
    return LeaderboardChoice(scope, day, int(text), board, _cursor(scope))


def _cursor(scope: str) -> Cursor | None:
    read = days.day_key if scope == "day" else scores.score_key
    for name in ("after", "before"):
        if name in request.args:
            key = read(request.args[name])
            if key is None:
                raise BadAddress(_("%(name)s: there’s no such leaderboard page", name=name))
            return Cursor(key, backwards=name == "before")
    return None
