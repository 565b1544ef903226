"""Exercises: positions of lessons and drills, made by the engine."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.process.column_types import UtcDateTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "exercise",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("technique", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("givens", sa.String(81), nullable=False),
        sa.Column("digits", sa.String(81), nullable=False),
        sa.Column("struck", sa.Text, nullable=False, server_default=""),
        sa.Column("spoilers", sa.Text, nullable=False, server_default=""),
        sa.Column("least", sa.Boolean, nullable=False),
        sa.Column("seed", sa.String(40), nullable=False),
        sa.Column("engine_version", sa.String(20), nullable=False),
        sa.Column("created_at", UtcDateTime, nullable=False),
        sa.CheckConstraint("length(givens) = 81", name="givens"),
        sa.CheckConstraint("length(digits) = 81", name="digits"),
        sa.UniqueConstraint("technique", "kind", "givens"),
    )


def downgrade() -> None:
    op.drop_table("exercise")
