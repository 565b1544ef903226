"""Curators have recovery codes, of which the digests are stored."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player", sa.Column("recovery_codes", sa.Text, nullable=True))


def downgrade() -> None:
    op.drop_column("player", "recovery_codes")
