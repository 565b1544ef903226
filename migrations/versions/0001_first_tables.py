"""Players, puzzles, attempts, moves, and the workers' heartbeats."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _time(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def upgrade() -> None:
    op.create_table(
        "heartbeat",
        sa.Column("worker", sa.String(64), nullable=False),
        _time("seen_at"),
        sa.PrimaryKeyConstraint("worker", name="pk_heartbeat"),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(22), nullable=False),
        sa.Column("name", sa.String(20)),
        _time("created_at"),
        sa.PrimaryKeyConstraint("id", name="pk_player"),
        sa.UniqueConstraint("key", name="uq_player_key"),
        sa.UniqueConstraint("name", name="uq_player_name"),
    )
    op.create_table(
        "puzzle",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("givens", sa.String(81), nullable=False),
        sa.Column("level", sa.SmallInteger, nullable=False),
        sa.Column("rating_version", sa.String(40), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("method", sa.String(20)),
        sa.Column("seed", sa.String(40)),
        sa.Column("engine_version", sa.String(20), nullable=False),
        _time("created_at"),
        _time("first_started_at", nullable=True),
        sa.CheckConstraint("length(givens) = 81", name="ck_puzzle_givens"),
        sa.CheckConstraint("level BETWEEN 1 AND 5", name="ck_puzzle_level"),
        sa.PrimaryKeyConstraint("id", name="pk_puzzle"),
        sa.UniqueConstraint("givens", name="uq_puzzle_givens"),
    )
    op.create_index(
        "ix_puzzle_status_level_first_started_at", "puzzle", ["status", "level", "first_started_at"]
    )
    op.create_table(
        "attempt",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("level", sa.SmallInteger, nullable=False),
        _time("started_at"),
        _time("updated_at"),
        sa.Column("last_seq", sa.Integer, nullable=False),
        sa.Column("assisted", sa.Boolean, nullable=False),
        _time("finished_at", nullable=True),
        sa.Column("elapsed_ms", sa.BigInteger),
        sa.CheckConstraint("finished_at >= started_at", name="ck_attempt_finished_after_start"),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (elapsed_ms IS NULL)", name="ck_attempt_finished_has_time"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name="fk_attempt_player_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name="fk_attempt_puzzle_id"),
        sa.PrimaryKeyConstraint("id", name="pk_attempt"),
    )
    op.create_index("ix_attempt_player_id_finished_at", "attempt", ["player_id", "finished_at"])
    op.create_index("ix_attempt_puzzle_id", "attempt", ["puzzle_id"])
    op.create_table(
        "move",
        sa.Column("attempt_id", sa.String(22), nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(6), nullable=False),
        sa.Column("cell", sa.Text, nullable=False),
        sa.Column("digit", sa.SmallInteger),
        _time("received_at"),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name="fk_move_attempt_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("attempt_id", "seq", name="pk_move"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    for table in ("move", "attempt", "puzzle", "player", "heartbeat"):
        op.drop_table(table)
