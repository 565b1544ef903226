"""The language a player has chosen, for pages and mails."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody has chosen one yet: pages go by the browser."""
    op.add_column("player", sa.Column("language", sa.String(20), nullable=True))


def downgrade() -> None:
    op.drop_column("player", "language")
