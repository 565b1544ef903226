"""The level that a puzzle's rating says, beside the one it was announced at."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("puzzle", sa.Column("rated_level", sa.SmallInteger))


def downgrade() -> None:
    op.drop_column("puzzle", "rated_level")
