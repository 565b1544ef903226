"""Puzzles that players offer for everyone to play."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.process.column_types import UtcDateTime

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("created_at", UtcDateTime, nullable=False),
        sa.Column("told_at", UtcDateTime),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], ondelete="CASCADE", name="fk_submission_player_id_player"
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], ondelete="CASCADE", name="fk_submission_puzzle_id_puzzle"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_submission"),
        sa.UniqueConstraint("puzzle_id", name="uq_submission_puzzle_id"),
    )
    op.create_index("ix_submission_player_id", "submission", ["player_id"])
    op.create_index("ix_submission_told_at", "submission", ["told_at"])


def downgrade() -> None:
    op.drop_table("submission")
