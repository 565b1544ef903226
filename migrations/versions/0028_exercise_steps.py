"""Steps of an exercise, as its maker found them: an answer need not search for them again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The worker fills in the steps of the exercises that are there."""
    op.add_column("exercise", sa.Column("steps", sa.Text, nullable=True))


def downgrade() -> None:
    op.drop_column("exercise", "steps")
