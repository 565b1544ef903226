"""Drafts of dailies, released together: all of them or none. Owns its transactions.

With two-person release, curators can only schedule drafts, and another curator releases them. A draft that
isn't released before its day is deleted; the worker fills the day like any gap.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime

import sqlalchemy as sa
from sqlalchemy.orm import joinedload

from webapp.competition.daily import dailies
from webapp.curation.calendar import calendar
from webapp.curation.calendar.calendar import Refused, SeenSlot, SlotChoice
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import DailyDraft, Puzzle
from webapp.process.database import db, write_tx
from webapp.process.errors import Changed
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name

Key = tuple[date, int, int]  # day, level and puzzle of a draft


def waiting() -> Sequence[DailyDraft]:
    """Return all drafts with their puzzles, by day and level."""
    query = sa.select(DailyDraft).options(joinedload(DailyDraft.puzzle))
    return db.session.scalars(query.order_by(DailyDraft.date, DailyDraft.level)).all()


def put(
    curator: Identity,
    day: date,
    level: int,
    choice: SlotChoice,
    seen: int | None,
    now: datetime,
    *,
    sure: bool,
) -> None:
    """Draft a puzzle for a day where the curator saw `seen`: the draft there, else the daily, else nothing.

    The replaced draft is deleted. Raises BadInput, Refused, Unsure unless `sure`, Changed.
    """
    calendar.refuse_released(day, level, now)
    with write_tx():
        dailies.hold()
        puzzle = calendar.free_for(choice, level)
        draft = _at(day, level)
        if draft is not None and draft.puzzle_id != seen:
            raise _changed(day, level)
        there = calendar.standing(day, level) if draft is not None else calendar.as_seen(day, level, seen)
        calendar.guard(puzzle, day, there, sure=sure)
        _drop(curator, draft, now)
        _offer(puzzle, offered=False)
        db.session.add(
            DailyDraft(date=day, level=level, puzzle_id=puzzle.id, curator_id=curator.id, created_at=now)
        )
        audit.record(curator, "draft", ("puzzle", puzzle.id), at=now, after=_slot(day, level))


def schedule(
    curator: Identity,
    slot: SeenSlot,
    choice: SlotChoice,
    now: datetime,
    *,
    sure: bool,
    drafting: bool,
    by_hand: bool = True,
) -> None:
    """Make a puzzle the daily of a slot in place of the one seen, or draft it. Raises as they do."""
    if drafting:
        put(curator, slot.day, slot.level, choice, slot.puzzle, now, sure=sure)
    else:
        calendar.assign(curator, slot, choice, now, sure=sure, by_hand=by_hand)


def drop(curator: Identity, day: date, level: int, seen: int | None, now: datetime) -> None:
    """Delete the draft of puzzle `seen`. Raises Changed."""
    with write_tx():
        dailies.hold()
        draft = _at(day, level)
        if draft is None or draft.puzzle_id != seen:
            raise _changed(day, level)
        _drop(curator, draft, now)


def release(curator: Identity, seen: Collection[Key], now: datetime, *, two_person: bool) -> int:
    """Make dailies of all these drafts, or of none; returns how many.

    Raises Refused if a rule forbids one, or if the curator has drafted one and `two_person` is set; Changed
    if one isn't as it was seen.
    """
    if not seen:
        raise Refused(_("There are no drafts to release."))
    with write_tx():
        dailies.hold()
        found = {(draft.date, draft.level, draft.puzzle_id): draft for draft in waiting()}
        for day, level, puzzle_id in sorted(seen):
            draft = found.get((day, level, puzzle_id))
            if draft is None:
                raise _changed(day, level)
            calendar.refuse_released(day, level, now)
            if two_person and draft.curator_id == curator.id:
                raise Refused(
                    _(
                        "You drafted the %(level)s daily for %(day)s. Another curator has to release it.",
                        level=level_name(level),
                        day=calendar.in_words(day),
                    )
                )
            puzzle = draft.puzzle
            db.session.delete(draft)
            _offer(puzzle, offered=True)
            calendar.put_in_place(curator, day, SlotChoice(puzzle.id), level, now)
        return len(seen)


def expire(now: datetime) -> int:
    """Delete the drafts of days that have begun. Returns how many."""
    past = sa.select(DailyDraft).where(DailyDraft.date <= dailies.today(now))
    if db.session.scalar(past.limit(1)) is None:  # the usual case, without taking the write lock
        return 0
    with write_tx():
        dailies.hold()
        # Reload: one may have been deleted or released meanwhile.
        found = db.session.scalars(past.execution_options(populate_existing=True)).all()
        for draft in found:
            _drop(None, draft, now)
        return len(found)


def _at(day: date, level: int) -> DailyDraft | None:
    return db.session.get(DailyDraft, (day, level), populate_existing=True)


def _drop(curator: Identity | None, draft: DailyDraft | None, now: datetime) -> None:
    if draft is None:
        return
    _offer(draft.puzzle, offered=True)
    before = _slot(draft.date, draft.level)
    audit.record(curator, "undraft", ("puzzle", draft.puzzle_id), at=now, before=before)
    db.session.delete(draft)
    db.session.flush()


def _offer(puzzle: Puzzle, *, offered: bool) -> None:
    puzzle.offered = offered
    puzzle.version += 1
    db.session.flush()


def _slot(day: date, level: int) -> dict[str, object]:
    return {"date": day.isoformat(), "level": level}


def _changed(day: date, level: int) -> Changed:
    where = {"day": calendar.in_words(day), "level": level_name(level)}
    message = _("The draft for %(day)s, %(level)s changed while you were looking.", **where)
    return Changed(message, f"{day}/{level}")
