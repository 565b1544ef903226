"""What the rating says of a puzzle."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("puzzle", sa.Column("explainer", sa.Float))
    op.add_column("puzzle", sa.Column("hardest", sa.String(40)))
    op.add_column("puzzle", sa.Column("expected_seconds", sa.Float))


def downgrade() -> None:
    with op.batch_alter_table("puzzle") as batch:
        for column in ("explainer", "hardest", "expected_seconds"):
            batch.drop_column(column)
