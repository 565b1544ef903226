"""Statements of tests, and those that the site sends to the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from flask import Flask

from webapp.models import Player
from webapp.process.database import db, write_tx

Sent = tuple[str, Any]  # a statement and its parameters


@contextmanager
def noted(engine: sa.Engine) -> Iterator[list[Sent]]:
    """Record the statements that this engine sends inside of the block."""
    found: list[Sent] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        found.append((statement, parameters))

    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)


def one(app: Flask, query: sa.Select[Any]) -> Any:
    """Return the first column of the one row that a query finds."""
    with app.app_context():
        return db.session.scalars(query).one()


def player_id(app: Flask, name: str) -> int:
    """Return the id of the player with this name."""
    found: int = one(app, sa.select(Player.id).where(Player.name == name))
    return found


def change(app: Flask, statement: sa.Executable) -> None:
    """Send a statement in a transaction of its own."""
    with app.app_context(), write_tx():
        db.session.execute(statement)
