"""What is sent to the database, and how SQLite goes about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from webapp.process.database import db

Sent = tuple[str, Any]  # a statement and its parameters


@contextmanager
def noted(engine: sa.Engine) -> Iterator[list[Sent]]:
    """The statements that this engine sends inside of this block, as they come."""
    found: list[Sent] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        found.append((statement, parameters))

    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)


def plan_of(sent: Sent) -> str:
    """SQLite's plan for a statement, in its own words; inside an app context."""
    statement, parameters = sent
    with db.engine.connect() as connection:
        return str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all())
