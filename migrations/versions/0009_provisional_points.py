"""Provisional points, from the first solve on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("attempt", sa.Column("provisional", sa.Float))
    provisional = sa.Column("provisional", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("score", provisional)


def downgrade() -> None:
    op.drop_column("score", "provisional")
    op.drop_column("attempt", "provisional")
