"""Passkeys."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    at = sa.DateTime(timezone=True)
    op.create_table(
        "passkey",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("credential", sa.LargeBinary(1023), nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("created_at", at, nullable=False),
        sa.Column("used_at", at),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_passkey_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkey")),
        sa.UniqueConstraint("credential", name=op.f("uq_passkey_credential")),
    )
    op.create_index("ix_passkey_player_id", "passkey", ["player_id"])


def downgrade() -> None:
    op.drop_table("passkey")
