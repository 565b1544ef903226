"""Packed logs of finished games. All games are still in rows; the worker packs them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.game.packing import unpack

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

STEP = 200  # games at once
PACKED = sa.table("packed_log", sa.column("attempt_id", sa.String), sa.column("packed", sa.LargeBinary))
MOVE = sa.table(
    "move",
    *(sa.column(name, sa.String) for name in ("attempt_id", "kind", "cell")),
    *(sa.column(name, sa.Integer) for name in ("seq", "digit")),
    sa.column("received_at", sa.DateTime(timezone=True)),
)


def upgrade() -> None:
    op.create_table(
        "packed_log",
        sa.Column("attempt_id", sa.String(22), nullable=False),
        sa.Column("packed", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_packed_log_attempt_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_packed_log")),
        sqlite_with_rowid=False,
    )
    op.add_column("attempt", sa.Column("packed", sa.Boolean, nullable=False, server_default=sa.false()))
    unpacked = sa.text("finished_at IS NOT NULL AND NOT packed")
    op.create_index(
        "ix_attempt_unpacked",
        "attempt",
        ["finished_at", "id"],
        sqlite_where=unpacked,
        postgresql_where=unpacked,
    )


def downgrade() -> None:
    """Put every packed log back into rows, which is what older releases read. Raises Torn."""
    connection, after = op.get_bind(), ""
    in_order = sa.select(PACKED).order_by(PACKED.c.attempt_id).limit(STEP)
    while games := connection.execute(in_order.where(PACKED.c.attempt_id > after)).all():
        after = games[-1].attempt_id
        rows = [
            {
                "attempt_id": game.attempt_id,
                "seq": move.seq,
                "kind": move.kind.value,
                "cell": move.cell,
                "digit": move.digit,
                "received_at": at,
            }
            for game in games
            for move, at in unpack(game.packed)
        ]
        if rows:
            connection.execute(sa.insert(MOVE), rows)
    op.drop_index("ix_attempt_unpacked", "attempt")
    op.drop_column("attempt", "packed")
    op.drop_table("packed_log")
