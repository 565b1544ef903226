"""Races, and games in a turn of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from engine import Transformation
from webapp.game.moves import Move
from webapp.game.packing import pack, unpack
from webapp.game.turning import turned
from webapp.process.column_types import Turn, UtcDateTime

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

ATTEMPT = sa.table("attempt", sa.column("id", sa.String), sa.column("turn", Turn))
MOVE = sa.table(
    "move",
    *(sa.column(name, sa.String) for name in ("attempt_id", "kind", "cell")),
    *(sa.column(name, sa.Integer) for name in ("seq", "digit")),
)
PACKED = sa.table("packed_log", sa.column("attempt_id", sa.String), sa.column("packed", sa.LargeBinary))


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
        sa.Column("rematch_of", sa.Integer),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name="fk_race_puzzle_id"),
        sa.ForeignKeyConstraint(["rematch_of"], ["race.id"], name="fk_race_rematch_of", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_race"),
        sa.UniqueConstraint("key", name="uq_race_key"),
        sa.UniqueConstraint("rematch_of", name="uq_race_rematch_of"),
    )
    op.create_index("ix_race_created_at", "race", ["created_at"])
    op.create_index("ix_race_puzzle_id", "race", ["puzzle_id"])
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
    """Games in a turn of their own become games of the puzzle as it is stored."""
    connection = op.get_bind()
    for attempt_id, turn in connection.execute(
        sa.select(ATTEMPT.c.id, ATTEMPT.c.turn).where(ATTEMPT.c.turn.is_not(None))
    ).all():
        _turn_back(connection, attempt_id, turn.inverse())
    op.drop_table("racer")
    op.drop_table("race")
    op.drop_column("attempt", "turn")


def _turn_back(connection: sa.Connection, attempt_id: str, back: Transformation) -> None:
    rows = connection.execute(sa.select(MOVE).where(MOVE.c.attempt_id == attempt_id)).all()
    for row in rows:
        digit = "" if row.digit is None else str(row.digit)
        move = turned(Move.from_fields(str(row.seq), row.kind, row.cell, digit), back)
        this = sa.and_(MOVE.c.attempt_id == attempt_id, MOVE.c.seq == row.seq)
        connection.execute(sa.update(MOVE).where(this).values(cell=move.cell, digit=move.digit))
    this = PACKED.c.attempt_id == attempt_id
    packed = connection.scalar(sa.select(PACKED.c.packed).where(this))
    if packed is not None:
        log = [(turned(move, back), at) for move, at in unpack(packed)]
        connection.execute(sa.update(PACKED).where(this).values(packed=pack(log)))
