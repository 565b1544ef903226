"""Pick automatic dailies anew that no longer fit the plan: a proposal first, then all of it or nothing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime

import sqlalchemy as sa

from webapp.competition.daily import dailies, rules
from webapp.competition.daily.plan import Plan
from webapp.curation.calendar import calendar
from webapp.curation.calendar.calendar import FURTHEST, Refused, SlotChoice
from webapp.identity.players import Identity
from webapp.models import Daily, Puzzle
from webapp.process.database import db, write_tx
from webapp.process.words import gettext as _


@dataclass(frozen=True, slots=True)
class Key:
    """A change as a curator saw it."""

    day: date
    level: int
    old: int
    new: int | None  # none: the level is no longer a daily's
    version: int | None


@dataclass(frozen=True, slots=True)
class Change:
    """A daily that no longer fits, and the puzzle that would replace it."""

    day: date
    level: int
    old: Puzzle
    new: Puzzle | None
    dropped: bool  # whether its level is no longer a daily's

    @property
    def key(self) -> str:
        """The change for a form; empty if nothing fits."""
        if self.new is None and not self.dropped:
            return ""
        new = (self.new.id, self.new.version) if self.new is not None else ("", "")
        return ":".join(map(str, (self.day, self.level, self.old.id, *new)))


def unfit(now: datetime) -> list[Daily]:
    """Return the coming dailies that no curator has picked and that don't fit the plan, by day and level."""
    today = dailies.today(now)
    coming = sa.select(Daily).where(Daily.date > today, Daily.by_hand.is_(False))
    found = db.session.scalars(
        coming.options(sa.orm.joinedload(Daily.puzzle)).order_by(Daily.date, Daily.level)
    ).all()
    plan, levels = Plan.between(today, today + FURTHEST), dailies.levels()
    return [
        daily
        for daily in found
        if daily.level not in levels or not plan.wish(daily.date, daily.level).met_by(daily.puzzle)
    ]


def proposal(now: datetime) -> list[Change]:
    """Return what would replace each of them; no puzzle and no solution comes twice."""
    levels, taken, classes = dailies.levels(), set[int](), set[str]()
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
        changes.append(Change(daily.date, daily.level, daily.puzzle, new, daily.level not in levels))
    return changes


def apply(curator: Identity, changes: Collection[Key], now: datetime) -> int:
    """Make all these changes or none. Returns how many. Raises BadInput, Refused, Unsure, Changed."""
    if not changes:
        raise Refused(_("Nothing to pick anew."))
    with write_tx():
        dailies.hold()
        for key in sorted(changes, key=lambda each: (each.day, each.level)):
            if key.new is not None:
                calendar.refuse_released(key.day, key.level, now)
            elif key.day <= dailies.today(now) or key.level in dailies.levels():
                raise Refused(_("This daily can’t be removed here."))
            there = calendar.as_seen(key.day, key.level, key.old)
            if there is not None:
                calendar.give_back(curator, there, now)
            if key.new is not None:
                puzzle = calendar.free_for(SlotChoice(key.new, key.version), key.level)
                calendar.put(curator, key.day, puzzle, now, by_hand=False)
                calendar.guard_slot(key.day, key.level, sure=False)
        return len(changes)
