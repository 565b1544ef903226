"""The schedule: which puzzle is the daily of which day, by curators and by the worker.

Released days, including today, can't change. A curator's change states what they saw: the day's puzzle, and
the version of the new one. If either has changed, nothing is done.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from datetime import date, datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa

from engine import warm
from webapp.competition.daily import choosing
from webapp.competition.daily.slots import (
    FURTHEST,
    Refused,
    Seen,
    as_seen,
    free,
    guard,
    lock,
    refuse_released,
    set_status,
)
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import Daily, Puzzle, Status
from webapp.models.daily import LEVELS, today
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, Changed
from webapp.process.words import gettext as _

AHEAD: Final = timedelta(days=14)  # days after today that the worker fills
BEFORE_RATING: Final = timedelta(days=1)  # the same while ratings aren't available yet
PATIENCE: Final = 20.0  # seconds that a curator's filling may take


def between(first: date, last: date) -> dict[tuple[date, int], Daily]:
    """Return the dailies from `first` to `last` with their puzzles, by day and level."""
    found = sa.select(Daily).where(Daily.date.between(first, last))
    rows = db.session.scalars(found.options(sa.orm.joinedload(Daily.puzzle, innerjoin=True)))
    return {(daily.date, daily.level): daily for daily in rows}


def lacking(first: date, last: date) -> list[tuple[date, int]]:
    """Return the days and levels without a daily from `first` to `last`, in order."""
    query = sa.select(Daily.date, Daily.level).where(Daily.date.between(first, last))
    taken = {(row.date, row.level) for row in db.session.execute(query)}
    days = (first + timedelta(days=number) for number in range((last - first).days + 1))
    return [(day, level) for day in days for level in LEVELS if (day, level) not in taken]


def gaps(first: date, last: date, now: datetime) -> list[tuple[date, int]]:
    """Return what is lacking of the days that can still be scheduled."""
    return lacking(max(first, today(now) + timedelta(days=1)), min(last, today(now) + FURTHEST))


def runs_out(now: datetime, last: date) -> dict[int, date]:
    """Return the first day up to `last`, by level, with neither a daily nor a puzzle in stock.

    Days that fill themselves don't count.
    """
    left, found = choosing.stock(), dict[int, date]()
    for day, level in gaps(today(now), last, now):
        left[level] -= 1
        if left[level] < 0 and day > today(now) + AHEAD:
            found.setdefault(level, day)
    return found


# For curators


def assign(
    curator: Identity | None,
    seen: Seen,
    puzzle_id: int,
    now: datetime,
    *,
    version: int | None = None,
    by_hand: bool = True,
) -> bool:
    """Make a puzzle the daily of a slot, replacing the puzzle seen there, which returns to the bank.

    curator: None for an operator; by_hand: False when undoing restores what the site had chosen. Returns
    whether the replaced one was chosen by hand. Raises BadInput, Refused, Changed.
    """
    refuse_released(seen.day, seen.level, now)
    with write_tx():
        lock()
        there, puzzle = as_seen(seen), free(puzzle_id, seen.level, version)
        if there is not None:
            _give_back(curator, there, now)
        _put(puzzle, seen.day, now, by_hand=by_hand)
        _record(curator, "schedule", puzzle, None, (seen.day, puzzle.level), now)
    return there is None or there.by_hand


def unassign(curator: Identity | None, seen: Seen, now: datetime) -> bool:
    """Return the puzzle seen in a slot to the bank. Returns and raises as `assign`."""
    refuse_released(seen.day, seen.level, now)
    with write_tx():
        lock()
        there = as_seen(seen)
        if there is None:
            raise Refused(_("There’s nothing on this day to remove."))
        _give_back(curator, there, now)
    return there.by_hand


def move(
    curator: Identity | None,
    seen: Seen,
    to: Seen,
    now: datetime,
    *,
    by_hand: tuple[bool, bool] = (True, True),
) -> tuple[bool, bool]:
    """Move a slot's daily to another day at its level, swapping with the one there.

    by_hand: of both, as for `assign`. Returns what it was of both, and raises as `assign`.
    """
    for each in (seen, to):
        refuse_released(each.day, seen.level, now)
    if seen.day == to.day:
        raise Refused(_("It’s already on this day."))
    with write_tx():
        lock()
        here, there = as_seen(seen), as_seen(to)
        if here is None:
            raise Refused(_("There’s nothing on this day to move."))
        was = here.by_hand, there is None or there.by_hand
        moved = [(here.puzzle, seen.day, to.day, by_hand[0])]
        moved += [] if there is None else [(there.puzzle, to.day, seen.day, by_hand[1])]
        for daily in filter(None, (here, there)):
            db.session.delete(daily)
        db.session.flush()  # no two dailies may share a puzzle, even momentarily
        for puzzle, old, new, chosen in moved:
            set_status(puzzle, Status.DAILY)
            db.session.add(
                Daily(date=new, level=seen.level, puzzle_id=puzzle.id, by_hand=chosen, created_at=now)
            )
            db.session.flush()
            _record(curator, "move", puzzle, (old, seen.level), (new, seen.level), now)
        for puzzle, _old, new, _chosen in moved:
            guard(puzzle, new)
    return was


def fill(curator: Identity, first: date, last: date, now: datetime) -> list[int]:
    """Fill the gaps from `first` to `last`, from the bank or with puzzles made on the spot.

    Every daily is stored separately. Stops after PATIENCE seconds, so that the request ends. Returns the new
    dailies' ids.
    """
    until, ids = time.monotonic() + PATIENCE, list[int]()
    for day, level in gaps(first, last, now):
        if time.monotonic() > until:
            break
        daily = fill_one(day, level, now, rated=warm.ready(), curator=curator)
        ids += [] if daily is None else [daily.id]
    return ids


def unfill(curator: Identity, ids: Collection[int], now: datetime) -> list[date]:
    """Undo a filling: remove those of these dailies that are automatic and unreleased; returns their days."""
    chosen = Daily.id.in_(ids), Daily.by_hand.is_(False), Daily.date > today(now)
    with write_tx():
        lock()
        found = db.session.scalars(sa.select(Daily).where(*chosen).order_by(Daily.date)).all()
        days = [daily.date for daily in found]
        for daily in found:
            _give_back(curator, daily, now)
    return days


def _put(puzzle: Puzzle, day: date, now: datetime, **columns: Any) -> Daily:
    """Make a free or new puzzle the daily of its level on a day without one. Raises Refused, Changed."""
    if sa.inspect(puzzle).transient:
        puzzle.status = Status.DAILY
        db.session.add(puzzle)
        db.session.flush()
    else:
        set_status(puzzle, Status.DAILY)
    guard(puzzle, day)
    daily = Daily(date=day, level=puzzle.level, puzzle_id=puzzle.id, created_at=now, **columns)
    db.session.add(daily)
    db.session.flush()
    return daily


def _give_back(curator: Identity | None, daily: Daily, now: datetime) -> None:
    """Remove a daily; its puzzle becomes approved again."""
    puzzle = daily.puzzle
    db.session.delete(daily)
    db.session.flush()
    set_status(puzzle, Status.APPROVED)
    puzzle.level = puzzle.moved_to or puzzle.level
    _record(curator, "unschedule", puzzle, (daily.date, daily.level), None, now)


def _record(
    curator: Identity | None,
    action: str,
    puzzle: Puzzle,
    before: tuple[date, int] | None,
    after: tuple[date, int] | None,
    now: datetime,
    note: str | None = None,
) -> None:
    audit.record(
        curator,
        action,
        ("puzzle", puzzle.id),
        at=now,
        before=_slot_of(before),
        after=_slot_of(after),
        note=note,
    )


def _slot_of(slot: tuple[date, int] | None) -> dict[str, Any]:
    if slot is None:
        return {"status": Status.APPROVED, "date": None, "level": None}
    return {"status": Status.DAILY, "date": slot[0].isoformat(), "level": slot[1]}


# For the worker


def schedule(now: datetime, *, rated: bool | None = None) -> Iterator[Daily]:
    """Fill every gap from today to AHEAD; yields each daily once stored.

    `rated`: whether ratings are available, by default whether the techniques are compiled. Until then only
    the nearest days are filled, from the bank and the first stock. A puzzle whose rating then gives another
    level is replaced before its day.
    """
    rated = warm.ready() if rated is None else rated
    if rated:
        _give_back_misplaced(now)
    first = today(now)
    last = first + (AHEAD if rated else BEFORE_RATING)
    for day, level in lacking(first, last):
        daily = fill_one(day, level, now, rated=rated)
        if daily is not None:
            yield daily


def _give_back_misplaced(now: datetime) -> None:
    """Remove unreleased automatic dailies whose level isn't their puzzle's anymore, or isn't a daily's."""
    moved = sa.and_(Puzzle.rated_level != Daily.level, ~Puzzle.relabelled)
    misplaced = sa.or_(Puzzle.level != Daily.level, moved, Daily.level.not_in(LEVELS))
    query = (
        sa.select(Daily)
        .join(Daily.puzzle)
        .where(Daily.date > today(now), Daily.by_hand.is_(False), misplaced)
    )
    if not db.session.scalars(query).all():
        return
    with write_tx():
        lock()
        for daily in db.session.scalars(query):
            puzzle = daily.puzzle
            puzzle.status, puzzle.level = Status.APPROVED, puzzle.moved_to or puzzle.level
            db.session.delete(daily)


def fill_one(
    day: date,
    level: int,
    now: datetime,
    *,
    rated: bool = False,
    curator: Identity | None = None,
    closed_at: datetime | None = None,
) -> Daily | None:
    """Fill one gap; None if there is no puzzle. Returns the daily of another process if that was faster.

    closed_at: now for a past day, whose puzzle is the same for everyone from now on.
    """
    for puzzle in choosing.search(day, level, now, rated=rated):
        stored = sa.inspect(puzzle).identity
        try:
            with write_tx():
                lock()
                there = sa.select(Daily).where(Daily.date == day, Daily.level == level)
                if (daily := db.session.scalar(there)) is not None:
                    return daily
                chosen = puzzle if stored is None else free(stored[0], level)
                daily = _put(chosen, day, now, by_hand=False, closed_at=closed_at)
                if curator is not None:
                    note = _("filled automatically")
                    _record(curator, "schedule", chosen, None, (day, level), now, note)
            return daily
        except (BadInput, Changed, sa.exc.IntegrityError):  # taken or seen in the meantime: try the next one
            continue
    return None
