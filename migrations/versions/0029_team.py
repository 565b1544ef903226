"""Roles of curators, their comments on puzzles, and drafts of dailies."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.process.column_types import UtcDateTime

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Every curator so far could do everything."""
    op.add_column("player", sa.Column("role", sa.String(13)))
    op.execute("UPDATE player SET role = 'administrator' WHERE curator")
    op.drop_column("player", "curator")
    op.create_table(
        "puzzle_comment",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("curator_id", sa.Integer),
        sa.Column("curator_name", sa.String(20), nullable=False),
        sa.Column("text", sa.String(1000), nullable=False),
        sa.Column("at", UtcDateTime, nullable=False),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], ondelete="CASCADE", name="fk_puzzle_comment_puzzle_id_puzzle"
        ),
        sa.ForeignKeyConstraint(
            ["curator_id"], ["player.id"], ondelete="SET NULL", name="fk_puzzle_comment_curator_id_player"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_puzzle_comment"),
    )
    op.create_index("ix_puzzle_comment_puzzle_id", "puzzle_comment", ["puzzle_id"])
    op.create_index("ix_puzzle_comment_curator_id", "puzzle_comment", ["curator_id"])
    op.create_table(
        "daily_draft",
        sa.Column("date", sa.Date, nullable=False),
        sa.Column("level", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("curator_id", sa.Integer),
        sa.Column("created_at", UtcDateTime, nullable=False),
        sa.CheckConstraint("level BETWEEN 1 AND 5", name="ck_daily_draft_level"),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], ondelete="CASCADE", name="fk_daily_draft_puzzle_id_puzzle"
        ),
        sa.ForeignKeyConstraint(
            ["curator_id"], ["player.id"], ondelete="SET NULL", name="fk_daily_draft_curator_id_player"
        ),
        sa.PrimaryKeyConstraint("date", "level", name="pk_daily_draft"),
        sa.UniqueConstraint("puzzle_id", name="uq_daily_draft_puzzle_id"),
    )
    op.create_index("ix_daily_draft_curator_id", "daily_draft", ["curator_id"])


def downgrade() -> None:
    op.drop_table("daily_draft")
    op.drop_table("puzzle_comment")
    op.add_column("player", sa.Column("curator", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute("UPDATE player SET curator = (role IS NOT NULL)")
    op.drop_column("player", "role")
