"""Rows of players in any table: exported as plain values, and moved from a guest to an account."""

from __future__ import annotations

from datetime import date
from typing import Any

import sqlalchemy as sa

from webapp.models import Player
from webapp.process.database import Base, db


def player_column(table: sa.FromClause) -> sa.Column[int]:
    """Return the column of a table that refers to a player."""
    (found,) = (key.parent for key in table.foreign_keys if key.column is Player.__table__.c.id)
    return found


def rows_of(model: type[Base], player_id: int, *columns: str, **renamed: str) -> list[dict[str, Any]]:
    """Return these columns of a player's rows, ready for JSON and in the order of the primary key.

    renamed: the name in the export -> the column.
    """
    table = model.__table__
    chosen = [table.c[column].label(name) for name, column in ({c: c for c in columns} | renamed).items()]
    query = sa.select(*chosen).where(player_column(table) == player_id).order_by(*table.primary_key)
    return plain(db.session.execute(query))


def plain(rows: sa.Result[Any]) -> list[dict[str, Any]]:
    """Return rows as dictionaries of JSON values."""
    return [
        {name: value.isoformat() if isinstance(value, date) else value for name, value in row.items()}
        for row in rows.mappings()
    ]


def move_rows(model: type[Base], guest_id: int, into_id: int) -> None:
    """Move a guest's rows to an account, except where the account has a row with the same key."""
    table = model.__table__
    player, own = player_column(table), table.alias("own")
    same = [own.c[column.name] == column for column in table.primary_key if column is not player]
    moved = sa.update(table).where(player == guest_id)
    if player.primary_key:
        moved = moved.where(~sa.exists().where(own.c[player.name] == into_id, *same))
    db.session.execute(moved.values({player: into_id}))
