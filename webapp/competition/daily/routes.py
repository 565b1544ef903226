"""Routes of the dailies: today's, those of one day, past ones, and feeds. None shows a given."""

from __future__ import annotations

from datetime import date, timedelta
from urllib.parse import urlsplit

from flask import Blueprint, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.bank import bank
from webapp.competition import replica
from webapp.competition.daily import dailies, feeds, streaks
from webapp.competition.daily.views import (
    DailyView,
    DayView,
    MonthView,
    StreakView,
    day_title,
    opens_with,
    tells_times,
)
from webapp.models.daily import ARCHIVE_FROM
from webapp.process.clock import now
from webapp.process.errors import BadAddress, NotFound
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id
from webapp.web.htmx import wants_fragment
from webapp.web.i18n.choice import first_weekday
from webapp.web.inputs import read_day, read_month
from webapp.web.links import public_url
from webapp.web.shared import for_everybody

bp = Blueprint("daily", __name__)


@bp.get("/daily")
@for_everybody
def show() -> str:
    """Show today's puzzles, by the server's day."""
    return _day(dailies.today(now()))


@bp.get("/daily/<text>")
def of_day(text: str) -> str:
    """Show the puzzles of one day, yyyy-mm-dd."""
    day = read_day(text)
    if day is None:
        raise NotFound(_("“%(found)s” isn’t a date. Try one like 2026-03-01.", found=text[:20]))
    return _day(day)


@bp.get("/daily/<text>/<int:level>")
def ready(text: str, level: int) -> str | Response:
    """Show the cover of a daily; redirect to the player's game, or to the day of a withdrawn one."""
    day = read_day(text)
    if day is None:
        raise NotFound(_("“%(found)s” isn’t a date. Try one like 2026-03-01.", found=text[:20]))
    player_id, at = current_player_id(), now()
    found = dailies.of_day(day, player_id, at)
    entry = next((entry for entry in found.entries if entry.daily.level == level), None)
    if entry is None:
        raise NotFound(_("There’s no daily at this level that day."))
    if entry.shown is not None:
        return redirect(url_for("play.show", attempt_id=entry.shown.id), 303)
    if entry.daily.withdrawn:
        return redirect(url_for(".of_day", text=text), 303)
    daily = DailyView(entry, timed=tells_times(found.entries))
    return render_template(
        "competition/daily/ready.html",
        daily=daily,
        title=_("Today’s %(level)s", level=daily.level_name) if day == dailies.today(at) else daily.title,
        own_turns=current_app.extensions["settings"].own_turns,
        newcomer=not streaks.has_solved(player_id),
    )


def _day(day: date) -> str:
    player_id, at = current_player_id(), now()
    found = dailies.of_day(day, player_id, at)
    return render_template(
        "competition/daily/show.html",
        day=DayView(found, at),
        streak=StreakView(streaks.of(player_id, at), at),
    )


@bp.get("/archive")
@for_everybody
def archive() -> str:
    """Show a month at one level, `?month=yyyy-mm&level=3`; by default the current month and the easiest
    level.
    """
    player_id, at = current_player_id(), now()
    earliest, latest = ARCHIVE_FROM.replace(day=1), dailies.today(at).replace(day=1)
    text = request.args.get("month", f"{latest:%Y-%m}")
    month = read_month(text)
    if month is None:
        raise BadAddress(_("month: expected one like 2026-03, found “%(found)s”", found=text[:20]))
    if not earliest <= month <= latest:
        raise NotFound(_("There are no dailies that month."))
    text = request.args.get("level", str(dailies.levels()[0]))
    if text not in map(str, bank.LEVELS):
        raise BadAddress(_("level: expected %(least)s to 5, found “%(found)s”", least=1, found=text[:20]))
    view = MonthView(
        month,
        replica.read(lambda: dailies.of_month(month, player_id, at), lambda: replica.last_solve(player_id)),
        int(text),
        earlier=(month - timedelta(days=1)).replace(day=1) if month > earliest else None,
        later=dailies.next_month(month) if month < latest else None,
        first_weekday=first_weekday(),
    )
    template = "competition/daily/_month.html" if wants_fragment() else "competition/daily/archive.html"
    return render_template(template, month=view, today=dailies.today(at))


@bp.get("/daily.ics")
def calendar() -> Response:
    """Serve the days around today for calendar programs."""
    at = now()
    host = urlsplit(public_url("home.show")).netloc
    events = [
        feeds.Event(
            f"daily-{day.date}@{host}",
            day.opens_at,
            day_title(day.date),
            opens_with(day.levels),
            public_url("daily.of_day", text=day.date.isoformat()),
        )
        for day in feeds.around(at)
    ]
    # Stamped with the day, so that the text changes at most daily.
    text = feeds.icalendar(_("Ninefold dailies"), events, dailies.opening(dailies.today(at)))
    return _fed(text, "text/calendar")


@bp.get("/daily.atom")
def feed() -> Response:
    """Serve the days that have opened as an Atom feed."""
    at = now()
    days = [(day, day_title(day.date), opens_with(day.levels)) for day in feeds.released(at)]
    opened = dailies.opening(dailies.today(at))
    return _fed(
        render_template("competition/daily/feed.xml", days=days, opened=opened, public_url=public_url),
        "application/atom+xml",
    )


def _fed(text: str, mimetype: str) -> Response:
    """Respond with a feed, the same for everyone, or 304 if the client has it."""
    response = Response(text, mimetype=mimetype)
    response.add_etag()
    return response.make_conditional(request)
