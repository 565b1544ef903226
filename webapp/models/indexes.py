"""Partial indexes, the same in both databases."""

from __future__ import annotations

import sqlalchemy as sa


def partial(name: str, *columns: str, where: str, unique: bool = False) -> sa.Index:
    """Return an index over the rows that meet a condition in SQL."""
    rows = sa.text(where)
    return sa.Index(name, *columns, unique=unique, sqlite_where=rows, postgresql_where=rows)
