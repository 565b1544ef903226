"""Races, and games in a turn of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.process.column_types import UtcDateTime

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("attempt", sa.Column("turn", sa.String(28), nullable=True))
    op.create_table(
        "race",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(22), nullable=False),
        sa.Column("level", sa.SmallInteger, nullable=False),
        sa.Column("created_at", UtcDateTime, nullable=False),
        sa.Column("starts_at", UtcDateTime),
        sa.Column("puzzle_id", sa.Integer),
        sa.Column("rematch_id", sa.Integer),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name="fk_race_puzzle_id"),
        sa.ForeignKeyConstraint(["rematch_id"], ["race.id"], name="fk_race_rematch_id", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_race"),
        sa.UniqueConstraint("key", name="uq_race_key"),
    )
    op.create_index("ix_race_created_at", "race", ["created_at"])
    op.create_index("ix_race_puzzle_id", "race", ["puzzle_id"])
    op.create_index("ix_race_rematch_id", "race", ["rematch_id"])
    op.create_table(
        "racer",
        sa.Column("race_id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("guest", sa.Boolean, nullable=False),
        sa.Column("joined_at", UtcDateTime, nullable=False),
        sa.Column("attempt_id", sa.String(22)),
        sa.Column("tenths", sa.SmallInteger, server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["race_id"], ["race.id"], name="fk_racer_race_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_racer_player_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name="fk_racer_attempt_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("race_id", "player_id", name="pk_racer"),
        sa.UniqueConstraint("attempt_id", name="uq_racer_attempt_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_racer_player_id", "racer", ["player_id"])


def downgrade() -> None:
    """Games in a turn of their own would lie wrong: they go with their logs."""
    op.drop_table("racer")
    op.drop_table("race")
    attempts = sa.table("attempt", sa.column("id", sa.String), sa.column("turn", sa.String))
    turned = sa.select(attempts.c.id).where(attempts.c.turn.is_not(None))
    for table in ("move", "packed_log"):
        of = sa.table(table, sa.column("attempt_id", sa.String))
        op.execute(sa.delete(of).where(of.c.attempt_id.in_(turned)))
    op.execute(sa.delete(attempts).where(attempts.c.turn.is_not(None)))
    op.drop_column("attempt", "turn")
