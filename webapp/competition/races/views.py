"""The strip of a race: everyone's progress and place, as its own page and the board show it."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cached_property

from webapp.competition.races.standings import RacerRow, Stage, Standings
from webapp.game import plausibility
from webapp.process.words import gettext as _
from webapp.process.words import ngettext

HURRIED = timedelta(seconds=15)


class StripView:
    """Standings for one who looks at them; `me` is their number, None for someone who only watches."""

    def __init__(self, standings: Standings, me: int | None, now: datetime, *, board: bool = False) -> None:
        self._standings = standings
        self._now = now
        self.key = standings.key
        self.entries = standings.entries
        self.stage = standings.stage(now)
        self.rematch = standings.rematch
        self.starts_at = standings.starts_at
        self.version = standings.version(now)
        self.polls = standings.lingers(now)
        self.me = me
        self.board = board  # whether it stands beside the board

    @property
    def left_ms(self) -> int:
        """Milliseconds until the start."""
        left = (self.starts_at or self._now) - self._now
        return max(0, left // timedelta(milliseconds=1))

    @property
    def started_just_now(self) -> bool:
        """Whether racers who still wait on the race's page are to be taken to their boards."""
        return self.starts_at is not None and self._now < self.starts_at + HURRIED

    @cached_property
    def mine(self) -> RacerRow | None:
        """The entry of whoever looks."""
        return next((entry for entry in self.entries if entry.number == self.me), None)

    @property
    def doubts(self) -> list[str]:
        """Why the finish of whoever looks has no place, in words."""
        return [plausibility.words(key) for key in self.mine.doubts] if self.mine else []

    @property
    def said(self) -> str:
        """Where the race is, in words."""
        count = len(self.entries)
        if self.stage == Stage.WAITING:
            return ngettext("%(num)s racer is here.", "%(num)s racers are here.", count)
        if self.stage == Stage.COUNTDOWN:
            return _("Get ready.")
        done = sum(entry.finished for entry in self.entries)
        if self.stage == Stage.OVER:
            return _("The race is over.")
        return _("%(done)s of %(count)s have finished.", done=done, count=count)
