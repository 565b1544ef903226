"""The calendar: which puzzle a curator schedules for which day, and the rules for it.

Released days, including today, can't change. A change states what its curator saw: the version of the puzzle
and the day's previous puzzle. If either has changed, nothing is done. Guards check the result inside the
transaction, which is rolled back if it breaks a rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.bank import bank
from webapp.competition.daily import dailies, rules
from webapp.game.steps.names import technique_name
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import Daily, DailyDraft, Puzzle, Status
from webapp.models.daily import FIRST_DAY
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput, Changed
from webapp.process.words import format_date
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name

FURTHEST = timedelta(days=366)  # last day that can be scheduled, after today


class Refused(BadInput):
    """A guard rejected a change; `clash` is the conflicting daily, if any."""

    def __init__(self, message: str, clash: Daily | None = None) -> None:
        super().__init__(puzzle=message)
        self.clash = None if clash is None else (clash.date, clash.level)


class Unsure(BadInput):
    """A change that needs the curator's confirmation."""

    def __init__(self, message: str) -> None:
        super().__init__(sure=message)


@dataclass(frozen=True, slots=True)
class SeenSlot:
    """A level of a day with the puzzle that a curator saw there, or none."""

    day: date
    level: int
    puzzle: int | None


@dataclass(frozen=True, slots=True)
class SlotChoice:
    """A puzzle as a curator saw it; no version if only its number was typed."""

    id: int
    version: int | None = None


def assign(
    curator: Identity | None,
    slot: SeenSlot,
    choice: SlotChoice,
    now: datetime,
    *,
    sure: bool = False,
    by_hand: bool = True,
) -> None:
    """Make a puzzle the daily of a slot, replacing the puzzle seen there, or none. curator: None for an
    operator.

    by_hand: whether a curator chose it; False restores an automatic choice. The replaced puzzle returns to
    the bank. Raises BadInput, Refused, Unsure unless `sure`, Changed.
    """
    refuse_released(slot.day, slot.level, now)
    with write_tx():
        dailies.hold()
        there = as_seen(slot.day, slot.level, slot.puzzle)
        puzzle = free_for(choice, slot.level)
        _replace(curator, slot.day, puzzle, there, now, sure=sure, by_hand=by_hand)


def put_in_place(
    curator: Identity, day: date, choice: SlotChoice, level: int, now: datetime, *, by_hand: bool = True
) -> None:
    """Inside `write_tx()`, with the schedule locked: do the same, whatever is there. Raises Refused,
    Changed.
    """
    _replace(curator, day, free_for(choice, level), standing(day, level), now, sure=True, by_hand=by_hand)


def _replace(
    curator: Identity | None,
    day: date,
    puzzle: Puzzle,
    standing: Daily | None,
    now: datetime,
    *,
    sure: bool,
    by_hand: bool = True,
) -> None:
    if standing is not None:
        give_back(curator, standing, now)
    put(curator, day, puzzle, now, by_hand=by_hand)
    guard_slot(day, puzzle.level, sure=sure)


def unassign(curator: Identity, day: date, level: int, seen: int | None, now: datetime) -> None:
    """Return the puzzle `seen` on a day to the bank. Raises BadInput, Refused, Changed."""
    refuse_released(day, level, now)
    with write_tx():
        dailies.hold()
        standing = as_seen(day, level, seen)
        if standing is None:
            raise Refused(_("There’s nothing on this day to remove."))
        give_back(curator, standing, now)


def move(curator: Identity, slot: SeenSlot, other: SeenSlot, now: datetime, *, sure: bool = False) -> None:
    """Move a slot's daily to another day at its level, swapping with the one there. Raises as `assign`
    does.
    """
    day, to, level = slot.day, other.day, slot.level
    for each in (day, to):
        refuse_released(each, level, now)
    if day == to:
        raise Refused(_("It’s already on this day."))
    with write_tx():
        dailies.hold()
        here, there = as_seen(day, level, slot.puzzle), as_seen(to, level, other.puzzle)
        if here is None:
            raise Refused(_("There’s nothing on this day to move."))
        moved = [(here.puzzle, day, to), *([(there.puzzle, to, day)] if there is not None else [])]
        for daily in filter(None, (here, there)):
            db.session.delete(daily)
        db.session.flush()  # no two dailies may share a puzzle, even momentarily
        for puzzle, old, new in moved:
            before = _state(puzzle, old, level)
            update(puzzle, Status.DAILY)
            _insert(puzzle, new, level, now, by_hand=True)
            after = _state(puzzle, new, level)
            audit.record(curator, "move", ("puzzle", puzzle.id), at=now, before=before, after=after)
        for _puzzle, _old, new in moved:
            guard_slot(new, level, sure=sure)


def refuse_unknown(day: date, level: int, now: datetime) -> None:
    latest = dailies.today(now) + FURTHEST
    if not FIRST_DAY <= day <= latest:
        raise BadInput(
            date=_("date: expected one from %(first)s to %(last)s", first=FIRST_DAY, last=latest.isoformat())
        )
    if level not in dailies.LEVELS:
        names = ", ".join(map(str, dailies.LEVELS))
        message = _("level: expected one of %(levels)s, found %(found)s", levels=names, found=level)
        raise BadInput(level=message)


def refuse_released(day: date, level: int, now: datetime) -> None:
    """Raise Refused if a day is released, BadInput if the calendar has no such day or level."""
    refuse_unknown(day, level, now)
    if day <= dailies.today(now):
        message = _("The dailies for %(day)s are already released. They can’t be changed.", day=in_words(day))
        raise Refused(message)


def standing(day: date, level: int) -> Daily | None:
    return db.session.scalar(
        sa.select(Daily).where(Daily.date == day, Daily.level == level).with_for_update()
    )


def as_seen(day: date, level: int, seen: int | None) -> Daily | None:
    """Return the daily of a day. Raises Changed if it isn't what the curator saw."""
    daily = standing(day, level)
    if (None if daily is None else daily.puzzle_id) == seen:
        return daily
    where = {"day": in_words(day), "level": level_name(level)}
    if daily is None:
        message = _("%(day)s, %(level)s changed while you were looking. It’s now empty.", **where)
    else:
        message = _(
            "%(day)s, %(level)s changed while you were looking. It’s now #%(puzzle)s.",
            puzzle=daily.puzzle_id,
            **where,
        )
    raise Changed(message, f"{day}/{level}")


def free_for(choice: SlotChoice, level: int | None = None) -> Puzzle:
    """Return the chosen puzzle if it can become a daily, of this level if given. Raises Refused, Changed."""
    query = sa.select(Puzzle).where(Puzzle.id == choice.id, Puzzle.status != Status.ENTERED)
    puzzle = db.session.scalar(query)
    number = {"number": choice.id}
    if puzzle is None:
        raise Refused(_("There’s no puzzle #%(number)s.", **number))
    if puzzle.status == Status.DAILY:
        daily = db.session.scalars(sa.select(Daily).where(Daily.puzzle_id == puzzle.id)).one()
        raise Refused(_("#%(number)s is already a daily.", **number), daily)
    draft = db.session.scalar(sa.select(DailyDraft).where(DailyDraft.puzzle_id == puzzle.id))
    if draft is not None:
        raise Refused(_("#%(number)s is drafted for %(day)s.", day=in_words(draft.date), **number))
    if choice.version not in (None, puzzle.version):
        raise _just_changed(puzzle)
    if puzzle.status != Status.APPROVED:
        raise Refused(_("#%(number)s isn’t approved yet.", **number))
    if not bank.confirmed(puzzle):
        message = _("#%(number)s isn’t rated yet. Schedule it once its level is certain.", **number)
        raise Refused(message)
    if puzzle.shown_at is not None or puzzle.first_started_at is not None:
        raise Refused(_("Players have already seen #%(number)s, so it can’t be a daily.", **number))
    if level not in (None, puzzle.level):
        raise Refused(
            _(
                "#%(number)s is %(its)s, but this slot is for %(level)s.",
                its=level_name(puzzle.level),
                level=level_name(level or puzzle.level),
                **number,
            )
        )
    return puzzle


def put(
    curator: Identity | None,
    day: date,
    puzzle: Puzzle,
    now: datetime,
    *,
    by_hand: bool,
    note: str | None = None,
) -> None:
    """Make a free puzzle the daily of its level on a day without one."""
    before = _state(puzzle, None, None)
    update(puzzle, Status.DAILY)
    _insert(puzzle, day, puzzle.level, now, by_hand=by_hand)
    audit.record(
        curator,
        "schedule",
        ("puzzle", puzzle.id),
        at=now,
        before=before,
        after=_state(puzzle, day, puzzle.level),
        note=note,
    )


def give_back(curator: Identity | None, daily: Daily, now: datetime) -> None:
    """Remove a daily; its puzzle becomes approved again."""
    puzzle = daily.puzzle
    before = _state(puzzle, daily.date, daily.level)
    db.session.delete(daily)
    db.session.flush()
    update(puzzle, Status.APPROVED)
    puzzle.level = puzzle.moved_to or puzzle.level
    after = _state(puzzle, None, None)
    audit.record(curator, "unschedule", ("puzzle", puzzle.id), at=now, before=before, after=after)


def _insert(puzzle: Puzzle, day: date, level: int, now: datetime, *, by_hand: bool) -> None:
    daily = Daily(date=day, level=level, puzzle_id=puzzle.id, by_hand=by_hand, created_at=now)
    db.session.add(daily)
    db.session.flush()


def guard_slot(day: date, level: int, *, sure: bool) -> None:
    """Raise Refused or Unsure if the new daily breaks a rule or needs confirmation."""
    daily = standing(day, level)
    assert daily is not None
    guard(daily.puzzle, day, daily, sure=sure)


def guard(puzzle: Puzzle, day: date, there: Daily | None, *, sure: bool) -> None:
    """Raise Refused or Unsure if a puzzle, in place of `there`, breaks a rule or needs confirmation."""
    other = rules.clash(puzzle, day, () if there is None else {there.id})
    if other is not None:
        both = {"number": puzzle.id, "other": other.puzzle_id, "days": rules.APART.days}
        forms = {each.canonical or rules.class_of(each.givens) for each in (puzzle, other.puzzle)}
        if len(forms) == 1:
            words = _(
                "#%(number)s is equivalent to #%(other)s. Equivalent dailies must be %(days)s days apart.",
                **both,
            )
        else:
            words = _(
                "#%(number)s has the same solution as #%(other)s. Such dailies must be %(days)s days apart.",
                **both,
            )
        raise Refused(words, other)
    if not sure and puzzle.hardest is not None and puzzle.hardest in rules.repeated(day, puzzle.level):
        raise Unsure(
            _(
                "With #%(number)s on %(day)s, %(technique)s is the hardest technique three days in a row.",
                number=puzzle.id,
                day=in_words(day),
                technique=technique_name(puzzle.hardest),
            )
        )


def update(puzzle: Puzzle, status: Status) -> None:
    """Update a puzzle if it is still as it was read, and a free one unseen. Raises Changed otherwise."""
    as_read = sa.update(Puzzle).where(
        Puzzle.id == puzzle.id, Puzzle.version == puzzle.version, Puzzle.status == puzzle.status
    )
    if puzzle.status == Status.APPROVED:
        as_read = as_read.where(Puzzle.shown_at.is_(None), Puzzle.first_started_at.is_(None))
    changed = rows_changed(
        as_read.values(status=status, version=Puzzle.version + 1).execution_options(synchronize_session=False)
    )
    if changed != 1:
        raise _just_changed(puzzle)
    db.session.refresh(puzzle)


def _just_changed(puzzle: Puzzle) -> Changed:
    message = _("#%(number)s changed while you were looking. Take another look.", number=puzzle.id)
    return Changed(message, puzzle.id)


def _state(puzzle: Puzzle, day: date | None, level: int | None) -> dict[str, Any]:
    return {
        "status": puzzle.status,
        "date": None if day is None else day.isoformat(),
        "level": level,
        "version": puzzle.version,
    }


def in_words(day: date) -> str:
    """Format a day for people."""
    return format_date(day, "EEE, MMMM d")
