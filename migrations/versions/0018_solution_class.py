"""The class of a puzzle's solution, which near-duplicates share. The worker fills it in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("puzzle", sa.Column("solution_class", sa.BigInteger))
    op.create_index("ix_puzzle_solution_class", "puzzle", ["solution_class"])


def downgrade() -> None:
    op.drop_index("ix_puzzle_solution_class", "puzzle")
    op.drop_column("puzzle", "solution_class")
