"""Dailies that are withdrawn after their release."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("daily", sa.Column("withdrawn_at", sa.DateTime(timezone=True)))
    op.add_column("daily", sa.Column("former_id", sa.Integer))
    op.add_column("daily", sa.Column("unsettled", sa.Boolean, server_default=sa.false(), nullable=False))


def downgrade() -> None:
    for column in ("unsettled", "former_id", "withdrawn_at"):
        op.drop_column("daily", column)
