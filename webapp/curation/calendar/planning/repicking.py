"""Replace automatic dailies that no longer fit the plan: a proposal first, then all of it or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from webapp.competition.daily import dailies, rules
from webapp.competition.daily.plan import Plan
from webapp.curation.calendar import calendar
from webapp.curation.calendar.calendar import FURTHEST, Refused, SeenSlot, SlotChoice
from webapp.identity.players import Identity
from webapp.models import Daily, Puzzle
from webapp.process.database import db, write_tx
from webapp.process.errors import Changed
from webapp.process.words import gettext as _


@dataclass(frozen=True, slots=True)
class Change:
    """A daily that no longer fits, and the puzzle that would replace it."""

    daily: Daily
    new: Puzzle | None  # None if nothing fits, or the level is no longer a daily's
    removed: bool  # whether its level is no longer a daily's

    @property
    def key(self) -> str:
        """The change for a form; empty if nothing fits."""
        if self.new is None and not self.removed:
            return ""
        new = (self.new.id, self.new.version) if self.new is not None else ("", "")
        return ":".join(map(str, (self.daily.date, self.daily.level, self.daily.puzzle_id, *new)))


def unfit(now: datetime) -> list[Daily]:
    """Return the coming dailies that no curator has picked and that don't fit the plan, by day and level."""
    today = dailies.today(now)
    coming = sa.select(Daily).where(Daily.date > today, Daily.by_hand.is_(False))
    found = db.session.scalars(
        coming.options(sa.orm.joinedload(Daily.puzzle)).order_by(Daily.date, Daily.level)
    ).all()
    plan, levels = _plan(now), dailies.LEVELS
    return [
        daily
        for daily in found
        if daily.level not in levels or not plan.wish(daily.date, daily.level).met_by(daily.puzzle)
    ]


def proposal(now: datetime) -> list[Change]:
    """Return what would replace each of them; no puzzle and no solution comes twice."""
    levels, taken, classes = dailies.LEVELS, set[int](), set[str]()
    changes = []
    for daily in unfit(now):
        new = None
        if daily.level in levels:
            for puzzle in dailies.fitting(daily.date, daily.level):
                form = puzzle.canonical or rules.class_of(puzzle.givens)
                if puzzle.id not in taken and form not in classes:
                    new = puzzle
                    taken.add(puzzle.id)
                    classes.add(form)
                    break
        changes.append(Change(daily, new, daily.level not in levels))
    return changes


def apply(curator: Identity, changes: Mapping[SeenSlot, SlotChoice | None], now: datetime) -> int:
    """Make all these changes or none; no choice removes a daily whose level is no longer one.

    Returns how many. Raises Refused, Changed.
    """
    if not changes:
        raise Refused(_("Nothing to replace."))
    with write_tx():
        dailies.hold()
        plan, levels = _plan(now), dailies.LEVELS
        there = {SeenSlot(daily.date, daily.level, daily.puzzle_id): daily for daily in unfit(now)}
        for slot, choice in changes.items():
            daily, kept = there.get(slot), slot.level in levels
            if daily is None or (choice is None) == kept:
                raise _changed(slot)
            if choice is None:
                calendar.give_back(curator, daily, now)
            elif plan.wish(slot.day, slot.level).met_by(calendar.free_for(choice, slot.level)):
                calendar.put_in_place(curator, slot.day, choice, slot.level, now, by_hand=False)
            else:
                raise _changed(slot)
    return len(changes)


def _plan(now: datetime) -> Plan:
    today = dailies.today(now)
    return Plan.between(today, today + FURTHEST)


def _changed(slot: SeenSlot) -> Changed:
    message = _("The calendar or the plan changed while you were looking. Take another look.")
    return Changed(message, f"{slot.day}/{slot.level}")
