"""Daily reminders by mail: the hour a player chose, where it is that hour, the day of the last one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player", sa.Column("reminder_hour", sa.SmallInteger))
    op.add_column("player", sa.Column("time_zone", sa.String(40)))
    op.add_column("player", sa.Column("reminded_on", sa.Date))


def downgrade() -> None:
    for name in ("reminded_on", "time_zone", "reminder_hour"):
        op.drop_column("player", name)
