"""A daily from one player's view: whether it is open, and the player's attempts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from webapp.models import Attempt, Daily
from webapp.process.words import gettext as _


@dataclass(frozen=True, slots=True)
class DailyEntry:
    """A daily from one player's view at one moment."""

    daily: Daily
    now: datetime
    attempts: tuple[Attempt, ...] = ()  # the player's at this puzzle, oldest first
    peeked: bool = False  # the player has seen the puzzle without playing it

    @property
    def open(self) -> bool:
        """Whether a solve would be on time."""
        made_late = self.daily.id is None or self.daily.backfilled
        return not made_late and self.daily.opens_at <= self.now < self.daily.closes_at

    @property
    def shown(self) -> Attempt | None:
        """The attempt to show: the ranked one, else the one in progress, else the first finished one."""
        ranked = next((attempt for attempt in self.attempts if attempt.ranked), None)
        in_play = next((attempt for attempt in self.attempts if attempt.finished_at is None), None)
        finished = [attempt for attempt in self.attempts if attempt.finished_at is not None]
        return ranked or in_play or min(finished, key=_finish, default=None)

    @property
    def givens(self) -> str | None:
        """The givens as the player has seen them; None before that."""
        return None if self.shown is None else self.shown.givens

    @property
    def state(self) -> str:
        """`new`, `playing` or `solved`."""
        if self.shown is None:
            return "new"
        return "playing" if self.shown.finished_at is None else "solved"

    @property
    def on_time(self) -> bool:
        """Whether the shown attempt was finished within the window."""
        shown = self.shown
        return shown is not None and shown.finished_at is not None and _finish(shown) < self.daily.closes_at

    @property
    def unrankable(self) -> str:
        """Why this player can't start a ranked solve anymore, in words; empty if one is possible."""
        if self.daily.withdrawn:
            return _("This puzzle was withdrawn and can’t be started anymore.")
        if not self.open:
            return _("This leaderboard has closed, so this is practice.")
        if self.peeked:
            return _("You’ve seen this puzzle before, so this is practice.")
        if self.attempts:
            return _("You’ve already started this puzzle, so this is practice.")
        return ""


@dataclass(frozen=True, slots=True)
class Day:
    """The dailies of one day from one player's view, easiest first."""

    date: date
    entries: list[DailyEntry]


def _finish(attempt: Attempt) -> datetime:
    assert attempt.finished_at is not None
    return attempt.finished_at
