"""Withdraw a daily after its release, with or without a replacement, and undo that. Owns its transactions.

The times and points of a withdrawn puzzle are void, its games aren't rated, and the day counts for streaks.
A withdrawal takes effect at once for solves from now on (`counting.VOID`). The worker then goes through
the players, takes their solves off the leaderboards, and computes their points and ratings again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.competition.daily import dailies
from webapp.competition.ranking import placing
from webapp.curation import curation
from webapp.curation.calendar import calendar
from webapp.curation.calendar.calendar import Refused, SeenSlot, SlotChoice
from webapp.identity import audit, texts
from webapp.identity.players import Identity
from webapp.models import Attempt, Daily, Player, Puzzle, Status
from webapp.models.daily import FIRST_DAY
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

UNDO = timedelta(days=1)  # after a withdrawal
OFFERED = 5  # replacements to choose from


@dataclass(frozen=True, slots=True)
class Release:
    """A released daily as the desk shows it."""

    daily: Daily
    players: int  # who have started its puzzle
    undoable: bool


def release(day: date, level: int, now: datetime) -> Release:
    """Return a released daily. Raises NotFound if there is none."""
    daily = db.session.scalar(sa.select(Daily).where(Daily.date == day, Daily.level == level))
    if daily is None or not FIRST_DAY <= day <= dailies.today(now):
        raise NotFound(_("There’s no released daily at this level that day."))
    undoable = daily.withdrawn_at is not None and now < daily.withdrawn_at + UNDO
    return Release(daily, curation.starts(daily.puzzle_id), undoable)


def replacements(day: date, level: int) -> Sequence[Puzzle]:
    """Return some puzzles that fit a day, the best first."""
    found = dailies.fitting(day, level)
    return [puzzle for puzzle, _number in zip(found, range(OFFERED), strict=False)]


def withdraw(
    curator: Identity | None,
    slot: SeenSlot,
    reason: str,
    replacement: SlotChoice | None,
    now: datetime,
    *,
    two_person: bool = False,
) -> None:
    """Withdraw the daily seen in a released slot. A withdrawn daily can still get a replacement.

    curator: None for an operator. Raises BadInput, Refused, Changed, NotFound.
    """
    reason = reason_for(reason)
    if replacement is not None and two_person:
        raise Refused(_("Two curators release dailies here. Withdraw this one without a replacement."))
    with write_tx():
        dailies.hold()
        release(slot.day, slot.level, now)
        daily = calendar.as_seen(slot.day, slot.level, slot.puzzle)
        assert daily is not None, "as seen, so that of the release"
        if daily.withdrawn and replacement is None:
            raise Refused(_("This daily is already withdrawn. Choose a replacement, or undo it."))
        former, before = daily.puzzle, _state(daily)
        if not daily.withdrawn:
            daily.withdrawn_at = now
        former.status, former.reason, former.version = Status.WITHDRAWN, reason, former.version + 1
        daily.former_id, daily.unsettled = former.id, True
        if replacement is not None:
            _replace(daily, calendar.free_for(replacement, slot.level))
        db.session.flush()
        audit.record(
            curator,
            "withdraw",
            ("puzzle", former.id),
            at=now,
            before=before,
            after=_state(daily),
            note=reason,
        )


def reason_for(reason: str) -> str:
    """Return the cleaned reason of a withdrawal. Raises BadInput."""
    missing = _("Give a reason. Players will see it.")
    return texts.checked("reason", reason, curation.LONGEST_REASON, missing=missing)


def _replace(daily: Daily, puzzle: Puzzle) -> None:
    calendar.guard(puzzle, daily.date, daily, sure=True)
    calendar.update(puzzle, Status.DAILY)
    daily.puzzle_id, daily.by_hand = puzzle.id, True


def undo(curator: Identity | None, slot: SeenSlot, now: datetime) -> None:
    """Undo a withdrawal of the last day: the former puzzle is the daily again, and its solves count.

    A replacement returns to the bank. Raises Refused, Changed, NotFound.
    """
    with write_tx():
        dailies.hold()
        found = release(slot.day, slot.level, now)
        daily = calendar.as_seen(slot.day, slot.level, slot.puzzle)
        assert daily is not None, "as seen, so that of the release"
        if not found.undoable or daily.former is None or daily.withdrawn_at is None:
            raise Refused(_("It’s too late to undo this. A withdrawal can be undone for a day."))
        former, replacement, before = daily.former, daily.puzzle, _state(daily)
        if daily.frozen_at is not None and daily.frozen_at >= daily.withdrawn_at:
            daily.frozen_at = None  # it closed without these solves, so it closes again
        if replacement.id != former.id:
            calendar.update(replacement, Status.APPROVED)
        former.status, former.reason, former.version = Status.DAILY, None, former.version + 1
        daily.puzzle_id, daily.former_id = former.id, replacement.id
        daily.withdrawn_at, daily.unsettled = None, True
        db.session.flush()
        audit.record(curator, "restore", ("puzzle", former.id), at=now, before=before, after=_state(daily))


def _state(daily: Daily) -> dict[str, Any]:
    return {
        "date": daily.date.isoformat(),
        "level": daily.level,
        "puzzle": None if daily.withdrawn else daily.puzzle_id,
    }


# For the worker


def settle(_now: datetime) -> Iterator[int]:
    """Place the solves of withdrawn and restored dailies again; yields each player once done."""
    unsettled = sa.select(Daily).where(Daily.unsettled).order_by(Daily.id)
    for daily in db.session.scalars(unsettled).all():
        daily_id, seen = daily.id, _seen(daily)
        at_it = Attempt.daily_id == daily_id  # of each puzzle it has had
        for player_id in db.session.scalars(
            sa.select(Attempt.player_id).where(at_it).distinct().order_by(Attempt.player_id)
        ).all():
            _settle_player(player_id)
            yield player_id
        with write_tx():
            current = db.session.get_one(Daily, daily_id, with_for_update=True, populate_existing=True)
            if _seen(current) == seen:  # else it was withdrawn or restored meanwhile
                current.unsettled = False


def _seen(daily: Daily) -> tuple[int, int | None, datetime | None]:
    return daily.puzzle_id, daily.former_id, daily.withdrawn_at


def _settle_player(player_id: int) -> None:
    with write_tx():
        placing.hold(db.session.connection(), Player.id == player_id)
        placing.settle_player(player_id)
