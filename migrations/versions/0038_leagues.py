"""Leagues of a week or a month, their players and seats, and an index for the fastest times of a level."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

RANKED = sa.text("board = 'day' AND percentile IS NOT NULL")


def upgrade() -> None:
    """Nobody takes part yet."""
    op.create_table(
        "league_player",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("period", sa.String(5), nullable=False),
        sa.Column("tier", sa.SmallInteger, nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_league_player_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", "period", name=op.f("pk_league_player")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "league",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("period", sa.String(5), nullable=False),
        sa.Column("starts_on", sa.Date, nullable=False),
        sa.Column("number", sa.SmallInteger, nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league")),
        sa.UniqueConstraint("period", "starts_on", "number", name=op.f("uq_league_period_starts_on_number")),
    )
    op.create_table(
        "league_seat",
        sa.Column("league_id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("points", sa.Float, nullable=True),
        sa.Column("solves", sa.Integer, nullable=True),
        sa.Column("rank", sa.SmallInteger, nullable=True),
        sa.Column("moved", sa.SmallInteger, nullable=True),
        sa.ForeignKeyConstraint(
            ["league_id"], ["league.id"], name=op.f("fk_league_seat_league_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_league_seat_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("league_id", "player_id", name=op.f("pk_league_seat")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_league_seat_player_id"), "league_seat", ["player_id"])
    op.create_index(
        "ix_attempt_record",
        "attempt",
        ["level", "board_ms", "finished_at"],
        sqlite_where=RANKED,
        postgresql_where=RANKED,
    )


def downgrade() -> None:
    op.drop_index("ix_attempt_record", "attempt")
    for table in ("league_seat", "league", "league_player"):
        op.drop_table(table)
