"""What curators plan: minutes by weekday, themes, notes on days."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "weekday_target",
        sa.Column("weekday", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("level", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("minutes", sa.Float, nullable=False),
        sa.CheckConstraint("weekday BETWEEN 0 AND 6", name="ck_weekday_target_weekday"),
        sa.CheckConstraint("level BETWEEN 1 AND 5", name="ck_weekday_target_level"),
        sa.CheckConstraint("minutes > 0", name="ck_weekday_target_minutes"),
        sa.PrimaryKeyConstraint("weekday", "level", name="pk_weekday_target"),
    )
    op.create_table(
        "theme",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("first_day", sa.Date, nullable=False),
        sa.Column("last_day", sa.Date, nullable=False),
        sa.Column("technique", sa.String(40), nullable=False),
        sa.Column("title", sa.String(100), nullable=False),
        sa.CheckConstraint("last_day >= first_day", name="ck_theme_days"),
        sa.PrimaryKeyConstraint("id", name="pk_theme"),
    )
    op.create_index("ix_theme_first_day", "theme", ["first_day"])
    op.create_table(
        "day_note",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("day", name="pk_day_note"),
    )


def downgrade() -> None:
    for name in ("day_note", "theme", "weekday_target"):
        op.drop_table(name)
