"""Profile pages: public statistics with a chart of solve times, and a few more for the player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain, pairwise
from math import log2
from statistics import median

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.bank import bank
from webapp.competition.daily import streaks
from webapp.competition.daily.views import StreakView
from webapp.game.steps.names import technique_name
from webapp.people import profile as profiles
from webapp.people.profile import Solve
from webapp.process.clock import now
from webapp.web.auth import current_player_id
from webapp.web.htmx import wants_fragment
from webapp.web.i18n.choice import first_weekday
from webapp.web.links import with_query

bp = Blueprint("players", __name__)

MOST_WEEKS = 12  # of the calendar
FEWEST_POINTS = 2  # fewer make no chart
MOST_POINTS = 200  # the latest
SMOOTH = 5  # solves in the running median
# Candidate axis labels in seconds; those within the range are drawn.
TICKS = (15, 30, 60, 120, 300, 600, 1200, 2400, 3600, 7200, 14400, 43200, 86400)


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
    weeks = weeks_until(now().date(), min(streak.days, default=None), MOST_WEEKS, first_weekday())
    return render_template(
        "people/profile/_times.html" if wants_fragment() else "people/profile/show.html",
        profile=profile,
        levels=[None, *(each["level"] for each in profile.levels if each["solves"])],
        level=level,
        chart=time_chart(profile.solves, level),
        weeks=weeks if streak.days.intersection(chain(*weeks)) else [],
        techniques=[(key, technique_name(key), count) for key, count in profile.techniques],
        as_others=as_others,
        streak=streak,
        today=now().date(),
        known={"player_id": profile.player.id, "viewer_id": current_player_id(), "now": now()},
    )


@dataclass(frozen=True, slots=True)
class Point:
    """One solve in the chart."""

    x: float  # percent from the left
    y: float  # percent from the top
    solve: Solve


@dataclass(frozen=True, slots=True)
class TimeChart:
    """Solve times by date, on a logarithmic scale."""

    points: list[Point]
    trend: list[tuple[float, float]]  # the running median, if a single level is shown
    ticks: list[tuple[float, int]]  # percent from the top, milliseconds
    first: datetime
    last: datetime

    @property
    def trend_lines(self) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """The running median as lines from point to point."""
        return list(pairwise(self.trend))

    @property
    def levels(self) -> list[int]:
        """The levels in the chart, for the legend."""
        return sorted({point.solve.level for point in self.points})


def time_chart(solves: Sequence[Solve], level: int | None) -> TimeChart | None:
    """Return the chart of the latest solves, of one level or all; None with fewer than FEWEST_POINTS."""
    shown = [solve for solve in solves if level in (None, solve.level)][-MOST_POINTS:]
    if len(shown) < FEWEST_POINTS:
        return None
    times = [max(1, solve.elapsed_ms) for solve in shown]
    low, high = log2(min(times)) - 0.3, log2(max(times)) + 0.3
    first, last = shown[0].finished_at, shown[-1].finished_at
    span = (last - first).total_seconds()

    def x(at: datetime) -> float:
        return round(3 + 94 * (at - first).total_seconds() / span, 2) if span else 50.0

    def y(ms: float) -> float:
        return round(100 - 100 * (log2(max(1, ms)) - low) / (high - low), 2)

    middle = [
        (x(solve.finished_at), y(median(times[max(0, index + 1 - SMOOTH) : index + 1])))
        for index, solve in enumerate(shown)
    ]
    return TimeChart(
        points=[Point(x(solve.finished_at), y(solve.elapsed_ms), solve) for solve in shown],
        trend=middle if level is not None and len(shown) >= SMOOTH else [],
        ticks=[(y(1000 * tick), 1000 * tick) for tick in TICKS if low <= log2(1000 * tick) <= high],
        first=first,
        last=last,
    )


def weeks_until(last: date, first: date | None, most: int, first_weekday: int) -> list[list[date]]:
    """Return the days of the weeks from `first` to `last`; at most so many, the latest."""
    if first is None:
        return []
    start, of_first = (day - timedelta(days=(day.weekday() - first_weekday) % 7) for day in (last, first))
    count = min(most, (start - of_first).days // 7 + 1)
    return [[start + timedelta(weeks=week, days=day) for day in range(7)] for week in range(1 - count, 1)]
