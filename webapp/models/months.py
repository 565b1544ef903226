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

INDEX = "ix_packed_log_attempt_id"  # of PostgreSQL's; SQLite's table is in the order of its key
PARTITION = re.compile(r"packed_log_\d{4}_\d\d")
_LOCK = 0x4E39_6C6F_6773  # any number that nothing else locks


def month_of(day: date) -> date:
    """Return the first day of a day's month."""
    return date(day.year, day.month, 1)


def provide(connection: sa.Connection, months: Iterable[date]) -> None:
    """Make the partitions of these months that PostgreSQL does not have yet, in the caller's transaction.

    months: first days. A new table is attached, since creating one as a partition would wait for every
    reader, a running dump included, and have every later one wait behind it.
    """
    if connection.dialect.name != "postgresql":
        return
    for month in sorted(set(months)):
        name = f"packed_log_{month:%Y_%m}"
        there = sa.select(sa.func.to_regclass(name))
        if connection.scalar(there) is not None:
            continue
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        if connection.scalar(there) is not None:  # another worker was first
            continue
        connection.exec_driver_sql(f"CREATE TABLE {name} (LIKE packed_log INCLUDING ALL)")
        bounds = f"FROM ('{month}') TO ((date '{month}' + interval '1 month')::date)"
        connection.exec_driver_sql(f"ALTER TABLE packed_log ATTACH PARTITION {name} FOR VALUES {bounds}")


def compared(item: Any, name: str | None, kind: str, reflected: bool, _twin: Any) -> bool:
    """Tell Alembic what to compare: not partitions and their index, which only PostgreSQL has."""
    del item, reflected
    return not (kind == "table" and PARTITION.fullmatch(name or "")) and name != INDEX
