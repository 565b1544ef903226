"""Indexes for what is looked up now: the solves a freeze has left over, the order a curator placed last."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    unfrozen = sa.text("board = 'day' AND percentile IS NULL")
    op.create_index(
        "ix_attempt_unfrozen",
        "attempt",
        ["daily_id", "board", "percentile"],
        sqlite_where=unfrozen,
        postgresql_where=unfrozen,
    )
    op.create_index("ix_puzzle_order_curator_id", "puzzle_order", ["curator_id", "id"])


def downgrade() -> None:
    op.drop_index("ix_puzzle_order_curator_id", "puzzle_order")
    op.drop_index("ix_attempt_unfrozen", "attempt")
