"""How the points of a week and of all time lie, so that a rank is read from few rows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "point_count",
        sa.Column("scope", sa.String(4), nullable=False),
        sa.Column("starts_on", sa.Date(), nullable=False),
        sa.Column("level", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("tenth", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.CheckConstraint("players >= 0", name=op.f("ck_point_count_players")),
        sa.PrimaryKeyConstraint("scope", "starts_on", "level", "tenth", name=op.f("pk_point_count")),
        sqlite_with_rowid=False,
    )
    op.execute(
        sa.text(
            "INSERT INTO point_count (scope, starts_on, level, tenth, players) "
            "SELECT scope, starts_on, level, CAST(round(points * 1000) AS INTEGER) / 100, count(*) "
            "FROM score GROUP BY 1, 2, 3, 4"
        )
    )


def downgrade() -> None:
    op.drop_table("point_count")
