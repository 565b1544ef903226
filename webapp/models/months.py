"""The months by which PostgreSQL keeps packed logs, each in a partition of its own.

Packed logs are most of what a site keeps for good, and nobody changes one. So an old month's table and index
are never written again: vacuum has nothing to do there, it can lie on a cheaper disk, and it can be dumped by
itself. SQLite has one table. Source: the manual of PostgreSQL, 5.12 Table Partitioning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Any

import sqlalchemy as sa

from webapp.process.database import db

INDEX = "ix_packed_log_attempt_id"  # of PostgreSQL's; SQLite's table is in the order of its key
PARTITION = re.compile(r"packed_log_\d{4}_\d\d")
PATIENCE = "200ms"  # for locks
_LOCK = 0x4E39_6C6F_6773  # any number that nothing else locks


def month_of(day: date) -> date:
    """Return the first day of a day's month."""
    return date(day.year, day.month, 1)


def without(months: Iterable[date]) -> list[date]:
    """Return those of these months, first days, that PostgreSQL has no partition for."""
    if db.engine.dialect.name != "postgresql":
        return []
    return [month for month in sorted(set(months)) if not _is_there(month)]


def provide(months: Iterable[date]) -> None:
    """Make the partitions of these months, where there are none, in the caller's transaction of writing.

    A new table is attached, since creating one as a partition would wait for every reader, a running dump
    included, and have every later one wait behind it. Its foreign key still locks `attempt` against moves
    until the transaction ends. So that should hold nothing else; and it gives up soon if a vacuum is at work
    there, since moves would wait behind it. Raises Busy then.
    """
    session = db.session
    session.execute(sa.text(f"SET LOCAL lock_timeout = '{PATIENCE}'"))
    session.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    for month in months:
        if _is_there(month):  # another worker was first
            continue
        session.execute(sa.text(f"CREATE TABLE {_name(month)} (LIKE packed_log INCLUDING ALL)"))
        bounds = f"FROM ('{month}') TO ((date '{month}' + interval '1 month')::date)"
        session.execute(
            sa.text(f"ALTER TABLE packed_log ATTACH PARTITION {_name(month)} FOR VALUES {bounds}")
        )


def _is_there(month: date) -> bool:
    return db.session.scalar(sa.select(sa.func.to_regclass(_name(month)))) is not None


def _name(month: date) -> str:
    return f"packed_log_{month:%Y_%m}"


def compared(item: Any, name: str | None, kind: str, reflected: bool, _twin: Any) -> bool:
    """Tell Alembic what to compare: not partitions and their index, which only PostgreSQL has."""
    del item, reflected
    return not (kind == "table" and PARTITION.fullmatch(name or "")) and name != INDEX
