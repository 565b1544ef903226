"""Views for leaderboard pages: the choice, its neighbors, the rows and the chart."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any, ClassVar

from flask import request, url_for

from webapp.competition import points
from webapp.competition.daily import dailies, schedule
from webapp.competition.leaderboard import days, places, scores
from webapp.competition.leaderboard.charts import Chart
from webapp.competition.leaderboard.places import Place
from webapp.competition.leaderboard.rows import Cursor, LeaderboardPage, Row
from webapp.models import Daily, Leaderboard, Scope, Standing
from webapp.models.daily import FIRST_DAY, LEVELS, today
from webapp.process.words import format_date, format_days, ngettext
from webapp.process.words import gettext as _
from webapp.web.i18n import clock_text, level_name, ordinal
from webapp.web.i18n.lists import listed

ENOUGH_TO_DRAW = 20  # times of a day for a chart


@dataclass(frozen=True, slots=True)
class LeaderboardChoice:
    """The leaderboard chosen by the address. Level 0 means all levels."""

    scope: str
    day: date
    level: int
    board: Leaderboard = Leaderboard.DAY
    at: Cursor | None = None

    @property
    def address(self) -> str:
        """Return the address of this leaderboard's first page."""
        query: dict[str, Any] = {"scope": self.scope, "date": self.day.isoformat(), "level": self.level}
        if self.board == Leaderboard.ARCHIVE:
            query["list"] = self.board.value
        return url_for(request.endpoint or "leaderboard.show", **(request.view_args or {}), **query)


@dataclass(frozen=True)
class LeaderboardView:
    """A leaderboard for one player at one moment."""

    choice: LeaderboardChoice
    now: datetime
    daily: Daily | None  # for the day scope
    page: LeaderboardPage
    place: Place | None = None  # the state of the player's own ranked solve
    played: bool = False  # whether the player has started this daily
    among: str | None = None  # the name of a group whose members alone are listed
    replay: tuple[str, int] | None = None  # the replay offered first, of a closed day, and its rank
    yesterday: list[Row] = field(default_factory=list)  # the first three of the day before, beside today's
    all_time: ClassVar = (points.MOST_SCORED, points.FEWEST_SCORED)  # solves in a mean, and needed for one

    @classmethod
    def of(cls, choice: LeaderboardChoice, player_id: int | None, now: datetime) -> LeaderboardView:
        if choice.scope != "day":
            page = scores.points(Scope(choice.scope), choice.day, choice.level, player_id, choice.at)
            return cls(choice, now, None, page)
        day_before = choice.day - timedelta(days=1)
        found = schedule.between(day_before, choice.day)
        daily = found.get((choice.day, choice.level))
        if daily is None:
            return cls(choice, now, None, LeaderboardPage([], 0, None))
        closed = now >= daily.closes_at
        page = days.day(daily.id, choice.board, player_id, choice.at, closed=closed)
        view = cls(
            choice,
            now,
            daily,
            page,
            None
            if player_id is None
            else places.ranked(player_id, daily.id, page.ranks if choice.board == Leaderboard.DAY else None),
            played=not page.rows and bool(dailies.entry_of(daily, player_id, now).attempts),
            replay=days.fastest_shown(daily.id) if closed and choice.board == Leaderboard.DAY else None,
        )
        if not view.open or choice.board != Leaderboard.DAY:
            return view
        before = found.get((day_before, choice.level))
        return view if before is None else replace(view, yesterday=days.first_three(before.id))

    @property
    def title(self) -> str:
        """The title of the leaderboard, used as the table's caption."""
        level = level_name(self.choice.level) if self.choice.level else _("all levels")
        if self.choice.scope == "week":
            return _("Weekly points, %(level)s", level=level)
        if self.choice.scope == "all":
            return _("All-time points, %(level)s", level=level)
        if self.choice.board == Leaderboard.ARCHIVE:
            return _("Practice times, %(level)s", level=level)
        return _("Daily times, %(level)s", level=level)

    @property
    def heading(self) -> str:
        """The title of the page."""
        if self.choice.scope == "week":
            return _("Best of the week")
        if self.choice.scope == "all":
            return _("Best of all time")
        return _("Today’s best") if self.open else _("Best of the day")

    @property
    def invitation(self) -> str:
        """The button's text before the first solve."""
        level = level_name(self.choice.level)
        return _("Play today’s %(level)s", level=level) if self.open else _("Play this daily")

    @property
    def unranked(self) -> bool:
        """Whether a time on the page has no rank."""
        return self.choice.scope == "day" and any(row.rank is None for row in self.page.rows)

    @property
    def slowest(self) -> int:
        """The longest time on the page, in milliseconds; 0 on a page of points."""
        return max((row.elapsed_ms or 0 for row in self.page.rows), default=0)

    @property
    def goal(self) -> str:
        """How far the player is from the next better rank on this page; empty without one."""
        mine = self.page.mine
        if mine is None or mine.rank is None or mine.elapsed_ms is None:
            return ""
        ranked = [row for row in self.page.rows if row.rank is not None and row.rank < mine.rank]
        if not ranked or ranked[-1].rank is None or ranked[-1].elapsed_ms is None:
            return ""
        gap = 1000 * (mine.elapsed_ms // 1000 - ranked[-1].elapsed_ms // 1000)
        return _("%(time)s to %(rank)s", time=clock_text(gap), rank=ordinal(ranked[-1].rank))

    @property
    def counted(self) -> str:
        """The number of results, in words."""
        return ngettext("%(num)s result", "%(num)s results", self.page.total)

    @property
    def open(self) -> bool:
        """Whether this is today's leaderboard, which is still open."""
        return self.choice.scope == "day" and self.choice.day == today(self.now)

    @property
    def changing(self) -> bool:
        """Whether the daily's window is open."""
        return self.daily is not None and not self.daily.withdrawn and self.now < self.daily.closes_at

    @property
    def week_text(self) -> str:
        """The days of the week: `Nov 16 – 22, 2026`."""
        first = points.monday(self.choice.day)
        return format_days(first, first + timedelta(days=6))

    @property
    def scopes(self) -> list[tuple[str, LeaderboardChoice, bool]]:
        """Names and leaderboards to choose from, and whether it is this one."""
        day, level, here = self.choice.day, self.choice.level, self.choice.scope
        return [
            (_("Day"), LeaderboardChoice("day", day, level or LEVELS[0]), here == "day"),
            (_("Week"), LeaderboardChoice("week", day, level), here == "week"),
            (_("All time"), LeaderboardChoice("all", day, level), here == "all"),
        ]

    @property
    def levels(self) -> list[tuple[str, LeaderboardChoice, bool]]:
        """The same for each level."""
        offered = sorted({*LEVELS, self.choice.level} - {0})
        if self.choice.scope != "day":
            offered = [0, *offered]
        plain = replace(self.choice, at=None)
        return [
            (
                level_name(level) if level else _("All levels"),
                replace(plain, level=level),
                level == self.choice.level,
            )
            for level in offered
        ]

    @property
    def earlier(self) -> LeaderboardChoice | None:
        """The day or the week before."""
        return self._moved(-1)

    @property
    def later(self) -> LeaderboardChoice | None:
        return self._moved(1)

    def _moved(self, steps: int) -> LeaderboardChoice | None:
        if self.choice.scope == "all":
            return None
        latest = today(self.now)
        if self.choice.scope == "day":
            day = self.choice.day + timedelta(days=steps)
        else:
            first = points.monday(self.choice.day)
            day = min(max(first + timedelta(days=7 * steps), FIRST_DAY), latest)
            if points.monday(day) == first:
                return None
        return replace(self.choice, day=day, at=None) if FIRST_DAY <= day <= latest else None

    @property
    def other_list(self) -> tuple[str, LeaderboardChoice]:
        """The name and the leaderboard of the link between the day's leaderboard and late times."""
        if self.choice.board == Leaderboard.ARCHIVE:
            return (_("Daily times"), replace(self.choice, board=Leaderboard.DAY, at=None))
        return (_("Practice times"), replace(self.choice, board=Leaderboard.ARCHIVE, at=None))

    @property
    def days_counted(self) -> str:
        """Which days of the week have given points so far."""
        closed = scores.closed_days(self.choice.day)
        if not closed:
            return _("No day of this week has closed yet.")
        return _("Days counted: %(days)s", days=listed([format_date(day, "EEE") for day in closed]))

    @property
    def own_elsewhere(self) -> bool:
        """Whether the player's row is on another page."""
        return self.page.mine is not None and not any(row.mine for row in self.page.rows)

    @cached_property
    def chart(self) -> Chart | None:
        """Return the distribution of the day's times; None with fewer than ENOUGH_TO_DRAW."""
        if self.daily is None or self.page.total < ENOUGH_TO_DRAW or self.among is not None:
            return None
        own, place = None if self.page.mine is None else self.page.mine.elapsed_ms, self.place
        if own is None and place is not None and place.rank is None and self.choice.board == Leaderboard.DAY:
            # A verified solve that isn't listed.
            own = place.attempt.elapsed_ms if place.attempt.standing == Standing.VERIFIED else None
        seconds = days.by_second(self.daily.id, self.choice.board)
        return Chart(seconds, None if own is None else own // 1000)
