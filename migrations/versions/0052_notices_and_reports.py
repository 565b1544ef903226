"""Notices to players, reports of puzzles, appeals against removals, withdrawn collections."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("attempt", sa.Column("appeal", sa.Text))
    op.add_column("collection", sa.Column("withdrawn", sa.String(200)))
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("text", sa.String(500), nullable=False),
        sa.Column("until", sa.Date, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
    )
    op.create_index(op.f("ix_notice_until"), "notice", ["until"])
    op.create_table(
        "puzzle_report",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer),
        sa.Column("text", sa.String(1000), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["player_id"],
            ["player.id"],
            name=op.f("fk_puzzle_report_player_id_player"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"],
            ["puzzle.id"],
            name=op.f("fk_puzzle_report_puzzle_id_puzzle"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzle_report")),
    )
    op.create_index(op.f("ix_puzzle_report_player_id"), "puzzle_report", ["player_id"])
    op.create_index(op.f("ix_puzzle_report_puzzle_id"), "puzzle_report", ["puzzle_id"])
    op.create_index(
        "ix_puzzle_report_open",
        "puzzle_report",
        ["id"],
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )


def downgrade() -> None:
    op.drop_table("puzzle_report")
    op.drop_table("notice")
    op.drop_column("collection", "withdrawn")
    op.drop_column("attempt", "appeal")
