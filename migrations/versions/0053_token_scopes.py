"""Tokens of the API have a scope and an end."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("api_token", sa.Column("read_only", sa.Boolean, server_default=sa.false(), nullable=False))
    op.add_column("api_token", sa.Column("parts", sa.String(200), server_default="", nullable=False))
    op.add_column("api_token", sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    for name in ("expires_at", "parts", "read_only"):
        op.drop_column("api_token", name)
