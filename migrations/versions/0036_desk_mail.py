"""What curators are sent mail about."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "desk_mail",
        sa.Column("player_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("kinds", sa.String(60), nullable=False),
        sa.Column("told_until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_desk_mail_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_desk_mail")),
    )


def downgrade() -> None:
    op.drop_table("desk_mail")
