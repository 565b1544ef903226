"""Lessons: how far each player is with each technique."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lesson_progress",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("technique", sa.String(40), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("practiced_at", sa.DateTime(timezone=True)),
        sa.Column("mastered_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name="fk_lesson_progress_player_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", "technique", name="pk_lesson_progress"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("lesson_progress")
