"""The strip of a race: everyone's progress and place, shown on its page and beside the board."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cached_property

from webapp.competition.races import course
from webapp.competition.races.course import Line
from webapp.competition.races.standings import RacerRow, Stage, Standings
from webapp.game.fair_play import rules
from webapp.process.words import gettext as _
from webapp.process.words import ngettext
from webapp.web.i18n import ordinal

HURRIED = timedelta(seconds=15)


class StripView:
    """Standings for one viewer; `me` is their number, None for a spectator."""

    def __init__(self, standings: Standings, me: int | None, now: datetime, *, board: bool = False) -> None:
        self._now = now
        self.key = standings.key
        self.entries = standings.entries
        self.stage = standings.stage(now)
        self.rematch = standings.rematch
        self.starts_at = standings.starts_at
        self.version = standings.version(now)
        self.polls = standings.lingers(now)
        self.me = me
        self.board = board  # whether it is beside the board

    @property
    def left_ms(self) -> int:
        """Milliseconds until the start."""
        left = (self.starts_at or self._now) - self._now
        return max(0, left // timedelta(milliseconds=1))

    @property
    def started_just_now(self) -> bool:
        """Whether racers who wait on the race's page are to be redirected to their boards."""
        return self.starts_at is not None and self._now < self.starts_at + HURRIED

    @property
    def beside(self) -> int | None:
        """`?board=` of its address."""
        return 1 if self.board else None

    @property
    def door(self) -> str:
        """The next act of the viewer: `start`, `go-countdown`, `go-running`, `rematch`, or empty."""
        if self.mine is None:
            return ""
        if self.stage == Stage.OVER or self.mine.finished:
            return "rematch"
        if self.stage == Stage.WAITING:
            return "start"
        return "" if self.board else f"go-{self.stage.value}"

    @property
    def goes_in_ms(self) -> int | None:
        """How long until the browser goes to the board by itself; None if only a press leads there."""
        if self.stage == Stage.COUNTDOWN:
            return self.left_ms + 200
        return 0 if self.started_just_now else None

    @cached_property
    def course(self) -> tuple[list[Line], int] | None:
        """How it went, for the page of a race that is over, and how long it took in milliseconds."""
        if self.board or self.stage != Stage.OVER:
            return None
        return course.drawn(self.key, self.entries, self.me)

    @cached_property
    def mine(self) -> RacerRow | None:
        """The viewer's row."""
        return next((entry for entry in self.entries if entry.number == self.me), None)

    @property
    def doubts(self) -> list[str]:
        """Why the viewer's finish has no place, in words."""
        return [rules.words(key) for key in self.mine.doubts] if self.mine else []

    @property
    def said(self) -> str:
        """The stage of the race, in words."""
        count = len(self.entries)
        if self.stage == Stage.WAITING:
            return ngettext("%(num)s racer is here.", "%(num)s racers are here.", count)
        if self.stage == Stage.COUNTDOWN:
            return _("Get ready.")
        done = sum(entry.finished for entry in self.entries)
        if self.stage == Stage.OVER:
            return _("The race is over.")
        return ngettext(
            "%(num)s of %(count)s has finished.", "%(num)s of %(count)s have finished.", done, count=count
        )

    @property
    def result(self) -> str:
        """The viewer's place, in words; empty before they finish and without a place."""
        if self.mine is None or self.mine.place is None:
            return ""
        if self.mine.place == 1:
            return _("You won")
        return _("%(place)s of %(count)s", place=ordinal(self.mine.place), count=len(self.entries))

    def gap(self, entry: RacerRow) -> str:
        """How far a placed racer is from the first or, for the first, from the second."""
        placed = {other.place: other for other in self.entries if other.place and other.elapsed_ms}
        first = placed.get(1)
        if first is None or entry.place is None or entry.elapsed_ms is None:
            return ""
        other = placed.get(2) if entry.place == 1 else first
        if other is None or other.elapsed_ms is None:
            return ""
        seconds = abs(entry.elapsed_ms // 1000 - other.elapsed_ms // 1000)
        if entry.place == 1:
            return _("%(seconds)s s ahead of %(name)s", seconds=seconds, name=other.name)
        return _("%(seconds)s s behind", seconds=seconds)
