"""Evidence of solves, traces to compare them with, who started a daily from where, and settled players."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.process.column_types import UtcDateTime

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

PLAYER = sa.table("player", sa.column("id", sa.Integer), sa.column("settled_at", UtcDateTime))
ATTEMPT = sa.table(
    "attempt",
    sa.column("player_id", sa.Integer),
    sa.column("ranked", sa.Boolean),
    sa.column("standing", sa.String),
    sa.column("board", sa.String),
    sa.column("percentile", sa.Float),
    sa.column("finished_at", UtcDateTime),
)


def upgrade() -> None:
    """Whoever has been on a leaderboard by now stays there: only players to come are new."""
    op.add_column("attempt", sa.Column("evidence", sa.Text, nullable=True))
    op.add_column("player", sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True))
    latest = (
        sa.select(sa.func.max(ATTEMPT.c.finished_at))
        .where(ATTEMPT.c.player_id == PLAYER.c.id, ATTEMPT.c.board == "day")
        .scalar_subquery()
    )
    op.execute(sa.update(PLAYER).values(settled_at=latest))
    op.create_table(
        "trace",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("attempt_id", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("order", sa.LargeBinary, nullable=False),
        sa.Column("waits", sa.LargeBinary, nullable=False),
        sa.Column("by_logic", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_trace_attempt_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_trace_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trace")),
        sa.UniqueConstraint("attempt_id", name=op.f("uq_trace_attempt_id")),
    )
    op.create_index(op.f("ix_trace_player_id"), "trace", ["player_id"])
    op.create_index(op.f("ix_trace_finished_at"), "trace", ["finished_at"])
    op.create_table(
        "trace_key",
        sa.Column("key", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("trace_id", sa.Integer, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["trace.id"], name=op.f("fk_trace_key_trace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", "trace_id", name=op.f("pk_trace_key")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_trace_key_trace_id"), "trace_key", ["trace_id"])
    op.create_table(
        "footprint",
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("device", sa.String(32), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], name=op.f("fk_footprint_puzzle_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_footprint_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("puzzle_id", "device", "player_id", name=op.f("pk_footprint")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_footprint_player_id"), "footprint", ["player_id"])
    op.create_index(op.f("ix_footprint_seen_at"), "footprint", ["seen_at"])


def downgrade() -> None:
    """What only this release knows becomes what the one before has: on no leaderboard, under review."""
    attempts = sa.table("attempt", sa.column("board", sa.String), sa.column("board_ms", sa.BigInteger))
    op.execute(sa.update(attempts).where(attempts.c.board == "trial").values(board=None, board_ms=None))
    counts = sa.table("time_count", sa.column("board", sa.String))
    op.execute(sa.delete(counts).where(counts.c.board == "trial"))
    op.execute(sa.update(ATTEMPT).where(ATTEMPT.c.standing == "paper").values(standing="review"))
    for table in ("footprint", "trace_key", "trace"):
        op.drop_table(table)
    op.drop_column("player", "settled_at")
    op.drop_column("attempt", "evidence")
