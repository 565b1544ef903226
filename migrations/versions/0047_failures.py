"""Work of the background that keeps failing in the same way."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "failure",
        sa.Column("job", sa.String(40), nullable=False),
        sa.Column("item", sa.String(40), nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("job", "item", name=op.f("pk_failure")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_failure_at"), "failure", ["at"])


def downgrade() -> None:
    op.drop_table("failure")
