"""Runs of puzzle rush keep the questions answered wrong."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rush_run", sa.Column("misses", sa.Text, server_default="[]", nullable=False))


def downgrade() -> None:
    op.drop_column("rush_run", "misses")
