"""Routes of the dailies: today's, those of one day and past ones. None shows a given."""

from __future__ import annotations

from datetime import date, timedelta

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.bank import bank
from webapp.competition.daily import dailies, streaks
from webapp.competition.daily.views import DailyView, DayView, MonthView, StreakView, tells_times
from webapp.models.daily import ARCHIVE_FROM, LEVELS, today
from webapp.process.clock import now
from webapp.process.errors import BadAddress, NotFound
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id
from webapp.web.htmx import wants_fragment
from webapp.web.i18n.choice import first_weekday
from webapp.web.inputs import read_day, read_month
from webapp.web.shared import for_everybody

bp = Blueprint("daily", __name__)


@bp.get("/daily")
@for_everybody
def show() -> str:
    """Show today's puzzles, by the server's day."""
    return _day(today(now()))


@bp.get("/daily/<text>")
def of_day(text: str) -> str:
    """Show the puzzles of one day, yyyy-mm-dd."""
    return _day(_read(text))


def _read(text: str) -> date:
    day = read_day(text)
    if day is None:
        raise NotFound(_("“%(found)s” isn’t a date. Try one like 2026-03-01.", found=text[:20]))
    return day


@bp.get("/daily/<text>/<int:level>")
def ready(text: str, level: int) -> str | Response:
    """Show the cover of a daily; redirect to the player's game, or to the day of a withdrawn one."""
    day, player_id, at = _read(text), current_player_id(), now()
    entries = dailies.day_entries(day, player_id, at)
    entry = next((entry for entry in entries if entry.daily.level == level), None)
    if entry is None:
        raise NotFound(_("There’s no daily at this level that day."))
    if entry.shown is not None:
        return redirect(url_for("play.show", attempt_id=entry.shown.id), 303)
    if entry.daily.withdrawn:
        return redirect(url_for(".of_day", text=text), 303)
    daily = DailyView(entry, timed=tells_times(entries))
    return render_template(
        "competition/daily/ready.html",
        daily=daily,
        title=_("Today’s %(level)s", level=daily.level_name) if day == today(at) else daily.title,
        newcomer=not streaks.has_solved(player_id),
    )


def _day(day: date) -> str:
    player_id, at = current_player_id(), now()
    entries = dailies.day_entries(day, player_id, at)
    return render_template(
        "competition/daily/show.html",
        day=DayView(day, entries, at),
        streak=StreakView(streaks.of(player_id, at), at),
    )


@bp.get("/archive")
@for_everybody
def archive() -> str:
    """Show a month at one level, `?month=yyyy-mm&level=3`; by default the current month and the easiest
    level.
    """
    player_id, at = current_player_id(), now()
    earliest, latest = ARCHIVE_FROM.replace(day=1), today(at).replace(day=1)
    text = request.args.get("month", f"{latest:%Y-%m}")
    month = read_month(text)
    if month is None:
        raise BadAddress(_("month: expected one like 2026-03, found “%(found)s”", found=text[:20]))
    if not earliest <= month <= latest:
        raise NotFound(_("There are no dailies that month."))
    text = request.args.get("level", str(LEVELS[0]))
    if text not in map(str, bank.LEVELS):
        raise BadAddress(_("level: expected %(least)s to 5, found “%(found)s”", least=1, found=text[:20]))
    view = MonthView(
        month,
        dailies.month_entries(month, player_id, at),
        int(text),
        earlier=(month - timedelta(days=1)).replace(day=1) if month > earliest else None,
        later=dailies.next_month(month) if month < latest else None,
        first_weekday=first_weekday(),
    )
    template = "competition/daily/_month.html" if wants_fragment() else "competition/daily/archive.html"
    return render_template(template, month=view, today=today(at))
