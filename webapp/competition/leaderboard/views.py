"""Views for leaderboard pages: the choice, its neighbors, the rows and the chart."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from flask import request, url_for

from webapp.competition import ranking
from webapp.competition.daily import dailies
from webapp.competition.leaderboard import distribution, leaderboard
from webapp.competition.leaderboard.charts import Chart
from webapp.competition.leaderboard.leaderboard import Cursor, LeaderboardPage, Place, Replay
from webapp.models import Daily, Leaderboard, Scope, Standing
from webapp.models.daily import FIRST_DAY
from webapp.process.words import format_days, ngettext
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name


@dataclass(frozen=True, slots=True)
class LeaderboardChoice:
    """The leaderboard chosen in the address. Level 0 means all levels."""

    scope: str
    day: date
    level: int
    board: Leaderboard = Leaderboard.DAY
    at: Cursor | None = None
    established: bool = False  # without the times of new players

    @property
    def address(self) -> str:
        """Return the address of this leaderboard's first page."""
        query: dict[str, Any] = {"scope": self.scope, "date": self.day.isoformat(), "level": self.level}
        if self.board == Leaderboard.ARCHIVE:
            query["list"] = self.board.value
        if self.established:
            query["players"] = "established"
        return url_for(request.endpoint or "leaderboard.show", **(request.view_args or {}), **query)


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another leaderboard."""

    name: str
    to: LeaderboardChoice
    here: bool = False


@dataclass(frozen=True)
class LeaderboardView:
    """A leaderboard for one player at one moment."""

    choice: LeaderboardChoice
    now: datetime
    daily: Daily | None  # of scope day
    page: LeaderboardPage
    place: Place | None  # the state of the player's own ranked solve
    steps: dict[int, int] = field(default_factory=dict)  # solves by the second their step begins with
    among: str | None = None  # the name of a group, where only its members are listed
    replay: Replay | None = None  # the one offered first, of a closed day

    @classmethod
    def of(cls, choice: LeaderboardChoice, player_id: int | None, now: datetime) -> LeaderboardView:
        if choice.scope != "day":
            page = leaderboard.points(Scope(choice.scope), choice.day, choice.level, player_id, choice.at)
            return cls(choice, now, None, page, None)
        daily = leaderboard.daily(choice.day, choice.level)
        if daily is None:
            return cls(choice, now, None, LeaderboardPage([], 0, None), None)
        closed = now >= daily.closes_at
        found = leaderboard.day(
            daily.id, choice.board, player_id, choice.at, established=choice.established, closed=closed
        )
        return cls(choice, now, daily, found.page, found.place, found.steps, replay=found.replay)

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
    def counted(self) -> str:
        """The number of results, in words."""
        return ngettext("%(num)s result", "%(num)s results", self.page.total)

    @property
    def open(self) -> bool:
        """Whether this is today's leaderboard, which is still open."""
        return self.choice.scope == "day" and self.choice.day == dailies.today(self.now)

    @property
    def changing(self) -> bool:
        """Whether the daily's window is open."""
        return self.daily is not None and self.now < self.daily.closes_at

    @property
    def week(self) -> tuple[date, date]:
        first = ranking.monday(self.choice.day)
        return first, first + timedelta(days=6)

    @property
    def week_text(self) -> str:
        """The days of the week: `Nov 16 – 22, 2026`."""
        return format_days(*self.week)

    @property
    def scopes(self) -> list[Link]:
        names = {"day": _("Day"), "week": _("Week"), "all": _("All time")}
        return [
            Link(
                name,
                LeaderboardChoice(scope, self.choice.day, self._level_in(scope)),
                scope == self.choice.scope,
            )
            for scope, name in names.items()
        ]

    def _level_in(self, scope: str) -> int:
        if scope == "day" and self.choice.level == 0:
            return dailies.levels()[0]
        return self.choice.level

    @property
    def levels(self) -> list[Link]:
        offered = sorted({*dailies.levels(), self.choice.level} - {0})
        if self.choice.scope != "day":
            offered = [0, *offered]
        plain = replace(self.choice, at=None)
        return [
            Link(
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
        today = dailies.today(self.now)
        if self.choice.scope == "day":
            day = self.choice.day + timedelta(days=steps)
        else:
            day = min(max(self.week[0] + timedelta(days=7 * steps), FIRST_DAY), today)
            if ranking.monday(day) == self.week[0]:
                return None
        return replace(self.choice, day=day, at=None) if FIRST_DAY <= day <= today else None

    @property
    def other_list(self) -> Link:
        """The link between the day's leaderboard and the late times."""
        if self.choice.board == Leaderboard.ARCHIVE:
            return Link(_("Daily times"), replace(self.choice, board=Leaderboard.DAY, at=None))
        return Link(
            _("Practice times"), replace(self.choice, board=Leaderboard.ARCHIVE, at=None, established=False)
        )

    @property
    def other_players(self) -> Link:
        """The link between all times and those without new players."""
        name = _("All players") if self.choice.established else _("Established players only")
        return Link(name, replace(self.choice, established=not self.choice.established, at=None))

    @property
    def own_elsewhere(self) -> bool:
        """Whether the player's row is on another page."""
        return self.page.mine is not None and not any(row.mine for row in self.page.rows)

    @cached_property
    def chart(self) -> Chart | None:
        """Return the distribution of the day's times; None with fewer than two."""
        if self.daily is None or self.page.total < 2 or self.among is not None:
            return None
        own = self._own_ms
        return Chart(distribution.bars(self.steps, None if own is None else own // 1000))

    @property
    def _own_ms(self) -> int | None:
        """Return the player's own time: from the row, or from a verified but unlisted solve."""
        if self.page.mine is not None:
            return self.page.mine.elapsed_ms
        place = self.place
        if place is None or place.rank is not None or self.choice.board != Leaderboard.DAY:
            return None
        return place.attempt.elapsed_ms if place.attempt.standing == Standing.VERIFIED else None
