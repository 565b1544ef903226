"""What an order has rated, and what came nearest to it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("puzzle_order", sa.Column("judged", sa.Integer, nullable=False, server_default="0"))
    op.add_column("puzzle_order", sa.Column("nearest", sa.Text))


def downgrade() -> None:
    op.drop_column("puzzle_order", "nearest")
    op.drop_column("puzzle_order", "judged")
