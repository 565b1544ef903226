"""Keep only rules of fair play: drop figures, sums, weights, habits and footprints, and key traces by
puzzle.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

USED = sa.text("used_from IS NOT NULL AND used_until IS NULL")


def upgrade() -> None:
    """Drop the traces of the old form, which are kept for three days only."""
    for table in ("trace_key", "trace", "footprint", "rule_trial"):
        op.drop_table(table)
    op.drop_column("attempt", "against")
    op.drop_column("attempt", "evidence")
    op.add_column("attempt", sa.Column("original_id", sa.String(22), nullable=True))
    op.create_table(
        "solve_order",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("attempt_id", sa.String(22), nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("places", sa.LargeBinary, nullable=False),
        sa.Column("waits", sa.LargeBinary, nullable=False),
        sa.Column("by_logic", sa.Boolean, nullable=False),
        *_owned("solve_order", "attempt", "puzzle", "player"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_solve_order")),
        sa.UniqueConstraint("attempt_id", name=op.f("uq_solve_order_attempt_id")),
    )
    for column in ("puzzle_id", "player_id", "finished_at"):
        op.create_index(op.f(f"ix_solve_order_{column}"), "solve_order", [column])


def downgrade() -> None:
    op.drop_table("solve_order")
    op.drop_column("attempt", "original_id")
    op.add_column("attempt", sa.Column("evidence", sa.Text, nullable=True))
    op.add_column("attempt", sa.Column("against", sa.Float, nullable=True))
    op.create_table(
        "trace",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("attempt_id", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("order", sa.LargeBinary, nullable=False),
        sa.Column("waits", sa.LargeBinary, nullable=False),
        sa.Column("by_logic", sa.Boolean, nullable=False),
        *_owned("trace", "attempt", "player"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trace")),
        sa.UniqueConstraint("attempt_id", name=op.f("uq_trace_attempt_id")),
    )
    op.create_index(op.f("ix_trace_player_id"), "trace", ["player_id"])
    op.create_index(op.f("ix_trace_finished_at"), "trace", ["finished_at"])
    op.create_table(
        "trace_key",
        sa.Column("key", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("trace_id", sa.Integer, autoincrement=False, nullable=False),
        *_owned("trace_key", "trace"),
        sa.PrimaryKeyConstraint("key", "trace_id", name=op.f("pk_trace_key")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_trace_key_trace_id"), "trace_key", ["trace_id"])
    op.create_table(
        "footprint",
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("device", sa.String(32), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        *_owned("footprint", "puzzle", "player"),
        sa.PrimaryKeyConstraint("puzzle_id", "device", "player_id", name=op.f("pk_footprint")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_footprint_player_id"), "footprint", ["player_id"])
    op.create_index(op.f("ix_footprint_seen_at"), "footprint", ["seen_at"])
    op.create_table(
        "rule_trial",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(12), nullable=False),
        *(sa.Column(name, sa.Float, nullable=False) for name in ("harmless", "doubtful", "most")),
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


def _owned(table: str, *owners: str) -> list[sa.ForeignKeyConstraint]:
    return [
        sa.ForeignKeyConstraint(
            [f"{owner}_id"], [f"{owner}.id"], name=op.f(f"fk_{table}_{owner}_id"), ondelete="CASCADE"
        )
        for owner in owners
    ]
