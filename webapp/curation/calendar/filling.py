"""Fill gaps from the bank for a curator, and undo a filling."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

import sqlalchemy as sa

from webapp.competition.daily import dailies
from webapp.curation.calendar.calendar import (
    FURTHEST,
    SlotChoice,
    free_for,
    give_back,
    guard_slot,
    put,
    standing,
)
from webapp.identity.players import Identity
from webapp.models import AuditEntry, Daily
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, Changed
from webapp.process.words import gettext as _


@dataclass(frozen=True, slots=True)
class Filled:
    """Result of filling: the new dailies, and gaps for which the bank has no puzzle."""

    dailies: int
    left: int
    entries: tuple[int, int]  # range in the audit log that includes the filling's entries


def fill(curator: Identity, first: date, last: date, now: datetime) -> Filled:
    """Fill the gaps from `first` to `last` from the bank; every daily is stored separately.

    Generates no puzzles and relaxes no rules: if nothing in the bank fits, the gap stays.
    """
    wanted = dailies.gaps(first, min(last, dailies.today(now) + FURTHEST), now)
    before = _last_entry()
    filled = sum(_fill(curator, day, level, now) for day, level in wanted)
    return Filled(filled, len(dailies.gaps(first, last, now)), (before + 1, _last_entry()))


def _last_entry() -> int:
    return db.session.scalar(sa.select(sa.func.max(AuditEntry.id))) or 0


def unfill(curator: Identity, first: int, last: int, now: datetime) -> list[date]:
    """Remove the dailies that a curator's filling has chosen; returns their days.

    first, last: entries of the audit log. Dailies released or changed since stay.
    """
    scheduled = sa.select(AuditEntry.subject_id).where(
        AuditEntry.id.between(first, last),
        AuditEntry.curator_id == curator.id,
        AuditEntry.action == "schedule",
        AuditEntry.subject == "puzzle",
    )
    numbers = [int(number) for number in db.session.scalars(scheduled)]
    today = dailies.today(now)
    chosen = Daily.puzzle_id.in_(numbers), Daily.by_hand.is_(False), Daily.date > today
    with write_tx():
        dailies.hold()
        found = list(db.session.scalars(sa.select(Daily).where(*chosen)))
        days = [daily.date for daily in found]
        for daily in found:
            give_back(curator, daily, now)
    return days


def _fill(curator: Identity, day: date, level: int, now: datetime) -> bool:
    """Fill one gap; False if nothing fits or the gap was filled concurrently."""
    for number in [puzzle.id for puzzle in dailies.fitting(day, level)]:
        try:
            with write_tx():
                dailies.hold()
                if standing(day, level) is not None:
                    return False
                note = _("filled automatically")
                put(curator, day, free_for(SlotChoice(number), level), now, by_hand=False, note=note)
                guard_slot(day, level, sure=False)
        except (BadInput, Changed):  # seen by a player in the meantime: try the next one
            continue
        return True
    return False
