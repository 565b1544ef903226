"""The audit log: who did what on the desk, with the values before and after.

Rows are only added. For a deleted player, they keep the action but no details.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from webapp.identity.players import Identity
from webapp.models import Attempt, AuditEntry
from webapp.process.database import db

PER_PAGE = 50
BY_ITSELF = "Ninefold"  # no curator: a job, or an operator on the command line

Fields = Mapping[str, Any]  # values that json.dumps accepts


@dataclass(frozen=True, slots=True)
class Change:
    """One field that changed; None if it was absent."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Some entries of the log, newest first."""

    entries: Sequence[AuditEntry]
    number: int  # from 1
    pages: int


def record(
    curator: Identity | None,
    action: str,
    subject: tuple[str, int | str],
    *,
    at: datetime,
    before: Fields | None = None,
    after: Fields | None = None,
    note: str | None = None,
) -> AuditEntry:
    """Add an entry inside the caller's `write_tx()`, so that no change is stored without its entry.

    action: a verb, such as approve. subject: a table and a row of it. before, after: the changed fields;
    None if there were none. curator: None if no curator was involved.
    """
    entry = AuditEntry(
        at=at,
        curator_id=None if curator is None else curator.id,
        curator_name=BY_ITSELF if curator is None or curator.name is None else curator.name,
        action=action,
        subject=subject[0],
        subject_id=str(subject[1]),
        before=None if before is None else json.dumps(before, ensure_ascii=False),
        after=None if after is None else json.dumps(after, ensure_ascii=False),
        note=note,
    )
    db.session.add(entry)
    return entry


def forget(player_id: int) -> None:
    """Erase the details about a player and their solves; inside the caller's `write_tx()`."""
    solves = sa.select(Attempt.id).where(Attempt.player_id == player_id)
    of_them = sa.or_(
        sa.and_(AuditEntry.subject == "player", AuditEntry.subject_id == str(player_id)),
        sa.and_(AuditEntry.subject == "attempt", AuditEntry.subject_id.in_(solves)),
    )
    db.session.execute(sa.update(AuditEntry).where(of_them).values(before=None, after=None, note=None))


def changes(entry: AuditEntry) -> list[Change]:
    """Return what an entry changed, field by field, without the version counter."""
    before: dict[str, Any] = json.loads(entry.before) if entry.before else {}
    after: dict[str, Any] = json.loads(entry.after) if entry.after else {}
    return [
        Change(field, before.get(field), after.get(field))
        for field in dict.fromkeys([*before, *after])
        if before.get(field) != after.get(field) and field != "version"
    ]


def page(number: int, *, curator: str = "", subject_id: str = "", action: str = "") -> AuditPage:
    """Return a page of the log. Empty filters match everything; a page number past the end means the last
    page.
    """
    wanted = {
        AuditEntry.curator_name: curator,
        AuditEntry.subject_id: subject_id,
        AuditEntry.action: action,
    }
    conditions = [column == value for column, value in wanted.items() if value]
    total = db.session.scalar(sa.select(sa.func.count()).select_from(AuditEntry).where(*conditions)) or 0
    pages = max(1, -(-total // PER_PAGE))
    number = min(max(number, 1), pages)
    latest_first = sa.select(AuditEntry).where(*conditions).order_by(AuditEntry.id.desc())
    entries = db.session.scalars(latest_first.offset((number - 1) * PER_PAGE).limit(PER_PAGE)).all()
    return AuditPage(entries, number, pages)


def history(subject: str, subject_id: int | str) -> Sequence[AuditEntry]:
    """Return the history of one subject, newest first."""
    return db.session.scalars(
        sa.select(AuditEntry)
        .where(AuditEntry.subject == subject, AuditEntry.subject_id == str(subject_id))
        .order_by(AuditEntry.id.desc())
        .limit(PER_PAGE)
    ).all()


def words(column: str) -> list[str]:
    """Return the distinct values of `curator_name`, `action` or `subject`, for the filters."""
    known = AuditEntry.__table__.c[column]
    return list(db.session.scalars(sa.select(known).distinct().order_by(known)))
