"""Monthly partitions of packed logs in PostgreSQL.

Packed logs are most of the permanent data, and they never change. So an old month's table and index are never
written again: vacuum has nothing to do there, it can be on a cheaper disk, and it can be dumped separately.
SQLite has one table. Source: the PostgreSQL manual, 5.12 Table Partitioning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Any

import sqlalchemy as sa

from webapp.process.database import db

INDEX = "ix_packed_log_attempt_id"  # PostgreSQL's index; SQLite's table is ordered by its key
PARTITION = re.compile(r"packed_log_\d{4}_\d\d")
PATIENCE = "200ms"  # timeout for locks
_LOCK = 0x4E39_6C6F_6773  # arbitrary, but used for no other lock


def month_of(day: date) -> date:
    """Return the first day of a day's month."""
    return date(day.year, day.month, 1)


def without(months: Iterable[date]) -> list[date]:
    """Return those of these months (as first days) for which PostgreSQL has no partition."""
    if db.engine.dialect.name != "postgresql":
        return []
    return [month for month in sorted(set(months)) if not _is_there(month)]


def provide(months: Iterable[date]) -> None:
    """Create missing partitions for these months, in the caller's write transaction.

    A new table is attached afterwards: creating one as a partition would wait for every reader, including a
    running dump, and block all later ones. Its foreign key still locks `attempt` against moves until the
    transaction ends, so that should do nothing else. Raises Busy soon if a vacuum holds the table, since
    moves would queue behind it.
    """
    session = db.session
    session.execute(sa.text(f"SET LOCAL lock_timeout = '{PATIENCE}'"))
    session.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    for month in months:
        if _is_there(month):  # another worker was faster
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


def compared(_item: Any, name: str | None, kind: str, _reflected: bool, _twin: Any) -> bool:
    """Exclude partitions and their index, which only PostgreSQL has, from Alembic's comparison."""
    return not (kind == "table" and PARTITION.fullmatch(name or "")) and name != INDEX
