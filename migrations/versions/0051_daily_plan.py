"""Weekdays have a look, and the levels of a day are a setting of the desk."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "weekday_look",
        sa.Column("weekday", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("level", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("er_from", sa.Float),
        sa.Column("er_to", sa.Float),
        sa.Column("hardest", sa.String(40)),
        sa.Column("givens_from", sa.SmallInteger),
        sa.Column("givens_to", sa.SmallInteger),
        sa.Column("symmetry", sa.String(20)),
        sa.CheckConstraint("weekday BETWEEN 0 AND 6", name=op.f("ck_weekday_look_weekday")),
        sa.CheckConstraint("level BETWEEN 1 AND 5", name=op.f("ck_weekday_look_level")),
        sa.PrimaryKeyConstraint("weekday", "level", name=op.f("pk_weekday_look")),
    )
    op.create_table(
        "desk_setting",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_desk_setting")),
    )


def downgrade() -> None:
    op.drop_table("desk_setting")
    op.drop_table("weekday_look")
