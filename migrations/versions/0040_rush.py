"""Puzzle rush."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.process.column_types import UtcDateTime

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rush_run",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("started_at", UtcDateTime, nullable=False),
        sa.Column("ends_at", UtcDateTime, nullable=False),
        sa.Column("right", sa.Integer, server_default="0", nullable=False),
        sa.Column("wrong", sa.Integer, server_default="0", nullable=False),
        sa.Column("took_ms", sa.Integer, server_default="0", nullable=False),
        sa.Column("number", sa.Integer, server_default="1", nullable=False),
        sa.Column("digits", sa.String(81), nullable=False),
        sa.Column("cell", sa.SmallInteger, nullable=False),
        sa.Column("digit", sa.SmallInteger, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name="fk_rush_run_player_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_rush_run"),
        sa.UniqueConstraint("key", name="uq_rush_run_key"),
    )
    op.create_index("ix_rush_run_player_id", "rush_run", ["player_id"])
    op.create_index("ix_rush_run_day_right", "rush_run", ["day", "right"])
    op.create_index("ix_rush_run_right", "rush_run", ["right"])


def downgrade() -> None:
    op.drop_table("rush_run")
