"""When a puzzle was first shown to anybody, so that a daily is one that nobody has met."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("puzzle", sa.Column("shown_at", sa.DateTime(timezone=True)))
    # Nobody knows which of them were: take it that all were.
    op.execute(sa.text("UPDATE puzzle SET shown_at = created_at"))


def downgrade() -> None:
    with op.batch_alter_table("puzzle") as batch:
        batch.drop_column("shown_at")
