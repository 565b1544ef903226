"""Practice: cards of spaced repetition, sessions and drills."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "practice_card",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("technique", sa.String(40), nullable=False),
        sa.Column("phase", sa.SmallInteger, nullable=False),
        sa.Column("step", sa.SmallInteger),
        sa.Column("stability", sa.Float, nullable=False),
        sa.Column("difficulty", sa.Float, nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name="fk_practice_card_player_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", "technique", name="pk_practice_card"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "practice_session",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name="fk_practice_session_player_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_practice_session"),
        sa.UniqueConstraint("key", name="uq_practice_session_key"),
    )
    op.create_index("ix_practice_session_player_id", "practice_session", ["player_id"])
    _unique_where("uq_practice_session_open", "practice_session", ["player_id"], "ended_at IS NULL")
    op.create_table(
        "drill",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("session_id", sa.Integer),
        sa.Column("exercise_id", sa.Integer, nullable=False),
        sa.Column("technique", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(5), nullable=False),
        sa.Column("drawn_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True)),
        sa.Column("outcome", sa.String(6)),
        sa.Column("answer", sa.Text),
        sa.CheckConstraint("(answered_at IS NULL) = (outcome IS NULL)", name="ck_drill_answered_has_outcome"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_drill_player_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["session_id"], ["practice_session.id"], name="fk_drill_session_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["exercise_id"], ["exercise.id"], name="fk_drill_exercise_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_drill"),
        sa.UniqueConstraint("key", name="uq_drill_key"),
    )
    op.create_index("ix_drill_player_id_exercise_id", "drill", ["player_id", "exercise_id"])
    op.create_index("ix_drill_session_id", "drill", ["session_id"])
    op.create_index("ix_drill_exercise_id", "drill", ["exercise_id"])
    _unique_where("uq_drill_open", "drill", ["player_id", "technique", "kind"], "answered_at IS NULL")


def _unique_where(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(
        name, table, columns, unique=True, sqlite_where=sa.text(where), postgresql_where=sa.text(where)
    )


def downgrade() -> None:
    for table in ("drill", "practice_session", "practice_card"):
        op.drop_table(table)
