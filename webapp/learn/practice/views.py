"""Views for templates: plain values made from drills, cards and sessions, without decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import Final

import engine
from engine.techniques import Family
from webapp.bank import bank
from webapp.game.steps import Overlay, StepView, technique_name
from webapp.learn.board import MarkingBoard
from webapp.learn.marks import Marks
from webapp.learn.practice import cards, drills, schedule, sessions, stock
from webapp.learn.practice.drills import Outcome, Reply
from webapp.learn.practice.schedule import Kind
from webapp.learn.practice.sessions import LASTS, Learned
from webapp.learn.state import State
from webapp.models import Drill, PracticeSession
from webapp.process.words import gettext as _
from webapp.process.words import ngettext, pgettext

# The families whose steps place a digit at once.
PLACING: Final = (Family.SINGLES, Family.DIRECT)


def kind_name(kind: Kind) -> str:
    """Return the display name of a kind of drill."""
    return {Kind.FIND: _("Find it"), Kind.THERE: _("Is it there?"), Kind.NEXT: _("What’s next here?")}[kind]


def state_name(state: State) -> str:
    """Return the display name of a state."""
    return {
        State.NEW: pgettext("of a technique", "New"),
        State.SEEN: _("Seen"),
        State.PRACTICED: _("Practiced"),
        State.MASTERED: _("Mastered"),
    }[state]


def when(days: int | None) -> str:
    """Say in how many days a technique is due; empty without a card."""
    if days is None:
        return ""
    if days == 0:
        return _("today")
    return _("tomorrow") if days == 1 else ngettext("in %(num)s day", "in %(num)s days", days)


class SessionView:
    """A session under way: the player's progress in it."""

    def __init__(self, session: PracticeSession, now: datetime, drills: Sequence[Drill] = ()) -> None:
        passed = min(max(now - session.started_at, LASTS * 0), LASTS)
        self.key = session.key
        self.number = len(drills)
        self.passed = int(passed.total_seconds())
        self.lasts = int(LASTS.total_seconds())
        self.over = session.ended_at is not None or passed == LASTS
        self.minutes = -(-(self.lasts - self.passed) // 60)  # left, rounded up


class DrillView:
    """A drill: its position and question, and its result once answered."""

    def __init__(
        self, drill: Drill, now: datetime, *, errors: dict[str, str] | None = None, typed: str | None = None
    ) -> None:
        """errors, typed: the errors of a rejected answer, and the answer."""
        self._drill, self._now, self._typed = drill, now, typed
        self.key = drill.key
        self.technique = drill.technique
        self.name = technique_name(drill.technique)
        self.kind = Kind(drill.kind)
        self.kind_name = kind_name(self.kind)
        self.marking = self.kind is not Kind.THERE
        self.outcome = None if drill.outcome is None else Outcome(drill.outcome)
        self.named = self.kind is not Kind.NEXT or self.outcome is not None
        self.again = self.outcome is None and drill.answer is not None  # the second try
        self.errors = errors or {}
        self.places = engine.TECHNIQUES[drill.technique].family in PLACING

    @cached_property
    def _position(self) -> engine.Position:
        return drills.posed(self._drill).position

    @cached_property
    def board(self) -> MarkingBoard:
        """The board to mark on, with the player's marks."""
        return MarkingBoard(self._position, self._reply.marks or Marks(), self._typed)

    @cached_property
    def _reply(self) -> Reply:
        return Reply.read(self._drill.answer, self._position)

    @cached_property
    def session(self) -> SessionView | None:
        """The session it belongs to, while that is open."""
        session = self._drill.session
        if session is None or session.ended_at is not None:
            return None
        return SessionView(session, self._now, sessions.of_session(session.id))

    @cached_property
    def feedback(self) -> list[str]:
        """The feedback on the player's marks; empty while there are none."""
        return [] if self._drill.answer is None else drills.feedback(self._drill, self._reply)

    # Once it is answered.

    @cached_property
    def step(self) -> StepView | None:
        """The step to show; None before the answer, and if the technique isn't there."""
        step = None if self.outcome is None else drills.step_of(self._drill, self._reply)
        return None if step is None else StepView(step, self._position)

    @property
    def overlay(self) -> Overlay | None:
        """The step drawn."""
        return None if self.step is None else self.step.overlay

    @cached_property
    def next_time(self) -> str:
        """When the technique is due; empty without a card."""
        card = cards.of_player(self._drill.player_id).get(self.technique)
        zone = cards.zone_of(self._drill.player_id)
        return when(None if card is None else schedule.days_until(card, self._now, zone))


@dataclass(frozen=True, slots=True)
class Row:
    """A technique in a list."""

    key: str
    name: str
    tier: int
    state: State
    when: str  # when it is due
    due: bool = False

    @property
    def state_name(self) -> str:
        """The display name of the state."""
        return state_name(self.state)


def _tier(key: str) -> int:
    return engine.TECHNIQUES[key].tier_of(0)  # as on the path: that of its easiest steps


class IndexView:
    """The drills due, the open session, every technique practiced, and those with drills."""

    def __init__(self, player_id: int | None, now: datetime) -> None:
        held, zone = cards.of_player(player_id), cards.zone_of(player_id)
        due = schedule.due(held, now, zone)
        self.rows = [
            Row(
                key,
                technique_name(key),
                technique.tier,
                schedule.state_of(held[key]),
                when(schedule.days_until(held[key], now, zone)),
                key in due,
            )
            for key, technique in engine.TECHNIQUES.items()
            if key in held
        ]
        self.due = [technique_name(key) for key in due]
        soonest = min(held, key=lambda key: held[key].due, default=None)
        self.next_name = "" if soonest is None else technique_name(soonest)
        self.next_time = "" if soonest is None else when(schedule.days_until(held[soonest], now, zone))
        session = sessions.under_way(player_id)
        view = None if session is None else SessionView(session, now)
        self.session = None if view is None or view.over else view
        self.by_tier = [
            (tier, [(key, technique_name(key)) for key in keys])
            for tier, keys in groupby(sorted(stock.path(), key=_tier), _tier)
        ]


class TodayView:
    """Practice in one line: what is due today."""

    def __init__(self, player_id: int, now: datetime) -> None:
        self.due = [technique_name(key) for key in cards.due(player_id, now)]
        session = sessions.under_way(player_id)
        self.session = session is not None and now < session.started_at + LASTS


class TechniqueView:
    """The ways to practice one technique."""

    def __init__(self, key: str, kind: Kind, player_id: int | None, now: datetime) -> None:
        card = cards.of_player(player_id).get(key)
        self.key = key
        self.name = technique_name(key)
        self.first = kind
        self.kinds = stock.kinds_of(key)
        self.whole = key in bank.ASKED_FOR  # a whole puzzle is generated in seconds
        self.state = None if card is None else state_name(schedule.state_of(card))
        zone = cards.zone_of(player_id)
        self.when = when(None if card is None else schedule.days_until(card, now, zone))


@dataclass(frozen=True, slots=True)
class LearnedView:
    """The result of a session for one technique."""

    row: Learned

    @property
    def name(self) -> str:
        """The technique's name."""
        return technique_name(self.row.technique)

    @property
    def state(self) -> str:
        """The player's state of the technique."""
        return state_name(self.row.state)

    @property
    def when(self) -> str:
        """When it is due."""
        return when(self.row.days)


class SummaryView:
    """The results of a session."""

    def __init__(self, session: PracticeSession, now: datetime) -> None:
        learned = sessions.learned(session, now)
        self.rows = [LearnedView(each) for each in learned]
        self.right = sum(each.right for each in learned)
        self.asked = sum(each.asked for each in learned)
        self.under_way = session.ended_at is None and now < session.started_at + LASTS
