"""Accounts that are suspended from leaderboards, and their appeals."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.process.column_types import UtcDateTime

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player", sa.Column("suspended", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("player", sa.Column("suspended_until", UtcDateTime))
    op.add_column("player", sa.Column("suspension_reason", sa.Text))
    op.add_column("player", sa.Column("appeal", sa.Text))


def downgrade() -> None:
    for name in ("appeal", "suspension_reason", "suspended_until", "suspended"):
        op.drop_column("player", name)
