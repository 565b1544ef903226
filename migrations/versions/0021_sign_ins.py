"""Sessions as rows, to be listed and ended. Those of before end: players sign in once more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    at = sa.DateTime(timezone=True)
    op.create_table(
        "sign_in",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("created_at", at, nullable=False),
        sa.Column("seen_at", at, nullable=False),
        sa.Column("device", sa.String(40), nullable=False),
        sa.Column("place", sa.String(45), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_sign_in_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_sign_in_player_id", "sign_in", ["player_id"])
    op.create_index("ix_sign_in_seen_at", "sign_in", ["seen_at"])


def downgrade() -> None:
    op.drop_table("sign_in")
