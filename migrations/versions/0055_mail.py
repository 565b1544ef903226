"""Mails wait for another try, and are counted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mail",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("state", sa.String(7), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.Text, nullable=True),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail")),
    )
    op.create_index(op.f("ix_mail_at"), "mail", ["at"])
    op.create_index(op.f("ix_mail_due_at"), "mail", ["due_at"])


def downgrade() -> None:
    op.drop_table("mail")
