"""Which approved puzzles are drawn for players: not those whose givens do not suit their level."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("puzzle", sa.Column("offered", sa.Boolean(), server_default=sa.true(), nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("puzzle") as puzzle:
        puzzle.drop_column("offered")
