"""Withdraw a daily after its release, with or without a replacement, and undo that. Owns its transactions.

The times and points of a withdrawn puzzle are void, and the day counts for streaks. A withdrawal takes effect
at once for solves from now on (`counting.VOID`). The worker then takes the other solves off the leaderboard
(`closing.settle`).
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa

from webapp.competition.daily import slots
from webapp.competition.daily.slots import Refused, Seen
from webapp.identity import audit, texts
from webapp.identity.players import Identity
from webapp.models import Daily, Status
from webapp.models.daily import FIRST_DAY, today
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

UNDO: Final = timedelta(days=1)  # after a withdrawal
LONGEST_REASON: Final = 200  # characters


def released(day: date, level: int, now: datetime) -> Daily:
    """Return a released daily. Raises NotFound if there is none."""
    daily = db.session.scalar(sa.select(Daily).where(Daily.date == day, Daily.level == level))
    if daily is None or not FIRST_DAY <= day <= today(now):
        raise NotFound(_("There’s no released daily at this level that day."))
    return daily


def undoable(daily: Daily, now: datetime) -> bool:
    """Whether a daily's withdrawal can still be undone."""
    return daily.withdrawn_at is not None and now < daily.withdrawn_at + UNDO


def withdraw(
    curator: Identity | None, seen: Seen, reason: str, replacement: int | None, now: datetime
) -> None:
    """Withdraw the daily seen in a released slot. A withdrawn daily can still get a replacement.

    curator: None for an operator. Raises BadInput, Refused, Changed, NotFound.
    """
    reason = reason_for(reason)
    with write_tx():
        slots.lock()
        released(seen.day, seen.level, now)
        daily = slots.as_seen(seen)
        assert daily is not None, "as seen, so that of the release"
        if daily.withdrawn and replacement is None:
            raise Refused(_("This daily is already withdrawn. Choose a replacement, or undo it."))
        former, before = daily.puzzle, _state(daily)
        if not daily.withdrawn:
            daily.withdrawn_at = now
        former.status, former.reason, former.version = Status.WITHDRAWN, reason, former.version + 1
        daily.former_id, daily.unsettled = former.id, True
        if replacement is not None:
            puzzle = slots.free(replacement, seen.level)
            slots.guard(puzzle, seen.day)
            slots.set_status(puzzle, Status.DAILY)
            daily.puzzle_id, daily.by_hand = puzzle.id, True
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
    return texts.checked("reason", reason, LONGEST_REASON, missing=missing)


def undo(curator: Identity | None, seen: Seen, now: datetime) -> None:
    """Undo a withdrawal of the last day: the former puzzle is the daily again, and its solves count.

    A replacement returns to the bank. Raises Refused, Changed, NotFound.
    """
    with write_tx():
        slots.lock()
        released(seen.day, seen.level, now)
        daily = slots.as_seen(seen)
        assert daily is not None, "as seen, so that of the release"
        if not undoable(daily, now) or daily.former is None or daily.withdrawn_at is None:
            raise Refused(_("It’s too late to undo this. A withdrawal can be undone for a day."))
        former, replacement, before = daily.former, daily.puzzle, _state(daily)
        if daily.closed_at is not None and daily.closed_at >= daily.withdrawn_at:
            daily.closed_at = None  # it closed without these solves, so it closes again
        if replacement.id != former.id:
            slots.set_status(replacement, Status.APPROVED)
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
