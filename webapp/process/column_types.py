"""Column types and indexes that behave alike on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from engine import Transformation


class UtcDateTime(sa.types.TypeDecorator[datetime]):
    """An aware datetime in UTC, to the microsecond. Rejects naive ones."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Any) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"expected an aware datetime, found {value!r}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _dialect: Any) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class TransformationColumn(sa.types.TypeDecorator[Transformation]):
    """A transformation stored as 28 digits: a transposition flag, nine rows, nine columns, nine digits."""

    impl = sa.String(28)
    cache_ok = True

    def process_bind_param(self, value: Transformation | None, _dialect: Any) -> str | None:
        if value is None:
            return None
        return "".join(map(str, (int(value.transposed), *value.rows, *value.columns, *value.digits)))

    def process_result_value(self, value: str | None, _dialect: Any) -> Transformation | None:
        return None if value is None else _turn(value)


@lru_cache(maxsize=4096)  # every batch of moves reads its game's transformation
def _turn(text: str) -> Transformation:
    transposed, *lines = map(int, text)
    return Transformation(transposed == 1, tuple(lines[:9]), tuple(lines[9:18]), tuple(lines[18:]))


def partial(name: str, *columns: str, where: str, unique: bool = False) -> sa.Index:
    """Return an index over the rows that meet a condition in SQL."""
    rows = sa.text(where)
    return sa.Index(name, *columns, unique=unique, sqlite_where=rows, postgresql_where=rows)
