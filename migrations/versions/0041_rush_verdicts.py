"""Results of puzzle rush that curators have removed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rush_run", sa.Column("removed", sa.Boolean, server_default=sa.false(), nullable=False))
    op.add_column("rush_run", sa.Column("verdict", sa.Text, nullable=True))


def downgrade() -> None:
    """Removed results count again."""
    for column in ("verdict", "removed"):
        op.drop_column("rush_run", column)
