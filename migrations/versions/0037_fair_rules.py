"""Weights of fair play that are tried before they are used, verdicts by date, and replays to be shown."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

USED = sa.text("used_from IS NOT NULL AND used_until IS NULL")
JUDGED = sa.text("verdict IS NOT NULL")


def upgrade() -> None:
    """Nobody shows a replay, and the weights are those of the program."""
    op.create_table(
        "rule_trial",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(12), nullable=False),
        sa.Column("harmless", sa.Float, nullable=False),
        sa.Column("doubtful", sa.Float, nullable=False),
        sa.Column("most", sa.Float, nullable=False),
        sa.Column("tried_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tried_by", sa.Integer, nullable=True),
        sa.Column("used_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("used_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["tried_by"], ["player.id"], name=op.f("fk_rule_trial_tried_by"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rule_trial")),
    )
    op.create_index(
        "uq_rule_trial_used", "rule_trial", ["key"], unique=True, sqlite_where=USED, postgresql_where=USED
    )
    op.create_index(op.f("ix_rule_trial_tried_by"), "rule_trial", ["tried_by"])
    op.create_index(
        "ix_attempt_verdict", "attempt", ["updated_at"], sqlite_where=JUDGED, postgresql_where=JUDGED
    )
    op.add_column("attempt", sa.Column("replay_shown", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index(
        "ix_attempt_replay",
        "attempt",
        ["daily_id", "board", "board_ms"],
        sqlite_where=sa.text("replay_shown = 1"),
        postgresql_where=sa.text("replay_shown"),
    )


def downgrade() -> None:
    op.drop_index("ix_attempt_replay", "attempt")
    op.drop_column("attempt", "replay_shown")
    op.drop_index("ix_attempt_verdict", "attempt")
    op.drop_table("rule_trial")
