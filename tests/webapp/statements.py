"""The statements sent to the database, and SQLite's plans for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

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
