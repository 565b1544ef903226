"""What lists of games show, and how long each log is: read from the rows, never from the moves."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    at = sa.DateTime(timezone=True)
    with op.batch_alter_table("attempt") as attempt:
        attempt.add_column(sa.Column("filled", sa.SmallInteger))
        attempt.add_column(sa.Column("paused_ms", sa.BigInteger, nullable=False, server_default="0"))
        attempt.add_column(sa.Column("paused_at", at))
        attempt.add_column(sa.Column("log_length", sa.Integer, nullable=False, server_default="0"))
    _count_moves()
    _find_pauses(at)


def downgrade() -> None:
    with op.batch_alter_table("attempt") as attempt:
        for column in ("filled", "paused_ms", "paused_at", "log_length"):
            attempt.drop_column(column)


def _count_moves() -> None:
    """Older logs count one for each move, however many cells it names."""
    op.execute("UPDATE attempt SET log_length = last_seq")


def _find_pauses(at: sa.DateTime) -> None:
    """Of the games that are not over, by their moves; `filled` follows with the next move of each."""
    attempt = sa.table(
        "attempt",
        sa.column("id"),
        sa.column("finished_at"),
        sa.column("paused_ms"),
        sa.column("paused_at", at),
    )
    move = sa.table(
        "move", sa.column("attempt_id"), sa.column("seq"), sa.column("kind"), sa.column("received_at", at)
    )
    pauses = (
        sa.select(move.c.attempt_id, move.c.kind, move.c.received_at)
        .join(attempt, attempt.c.id == move.c.attempt_id)
        .where(attempt.c.finished_at.is_(None), move.c.kind.in_(("pause", "resume")))
        .order_by(move.c.attempt_id, move.c.seq)
    )
    found: dict[str, tuple[timedelta, datetime | None]] = {}
    for attempt_id, kind, received_at in op.get_bind().execute(pauses):
        paused, since = found.get(attempt_id, (timedelta(), None))
        if kind == "pause":
            found[attempt_id] = paused, received_at
        elif since is not None:
            found[attempt_id] = paused + (received_at - since), None
    for attempt_id, (paused, since) in found.items():
        values: dict[str, Any] = {"paused_ms": paused // timedelta(milliseconds=1), "paused_at": since}
        op.execute(sa.update(attempt).where(attempt.c.id == attempt_id).values(**values))
