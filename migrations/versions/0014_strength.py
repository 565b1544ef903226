"""Ratings of players and puzzles; the games they come from. Only games begun from now on count."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    at = sa.DateTime(timezone=True)
    op.add_column("player", sa.Column("rated_since", at))
    now = datetime.now(UTC)
    op.execute(sa.update(sa.table("player", sa.column("rated_since", at))).values(rated_since=now))
    op.create_index("ix_attempt_player_id_puzzle_id", "attempt", ["player_id", "puzzle_id"])
    left = sa.text("finished_at IS NULL")
    op.create_index(
        "ix_attempt_unfinished", "attempt", ["started_at"], sqlite_where=left, postgresql_where=left
    )
    op.create_table(
        "player_rating",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("family", sa.String(20), nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("rated_at", at, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_player_rating_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", "family", name=op.f("pk_player_rating")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "puzzle_rating",
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("hardest", sa.String(40)),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], name=op.f("fk_puzzle_rating_puzzle_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("puzzle_id", name=op.f("pk_puzzle_rating")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_puzzle_rating_rating", "puzzle_rating", ["rating", "puzzle_id"])
    op.create_index("ix_puzzle_rating_hardest_rating", "puzzle_rating", ["hardest", "rating", "puzzle_id"])
    op.create_table(
        "rated_game",
        sa.Column("attempt_id", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("rated_at", at, nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("family", sa.String(20), nullable=False),
        sa.Column("puzzle_rating", sa.Float, nullable=False),
        sa.Column("puzzle_deviation", sa.Float, nullable=False),
        sa.Column("puzzle_moved", sa.Float, nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.CheckConstraint("score BETWEEN 0 AND 1", name=op.f("ck_rated_game_score")),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_rated_game_attempt_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_rated_game_player_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name=op.f("fk_rated_game_puzzle_id")),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_rated_game")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "uq_rated_game_player_id_puzzle_id", "rated_game", ["player_id", "puzzle_id"], unique=True
    )
    op.create_index("ix_rated_game_player_id_rated_at", "rated_game", ["player_id", "rated_at", "attempt_id"])
    op.create_index("ix_rated_game_puzzle_id", "rated_game", ["puzzle_id"])


def downgrade() -> None:
    for name in ("rated_game", "puzzle_rating", "player_rating"):
        op.drop_table(name)
    op.drop_index("ix_attempt_unfinished", "attempt")
    op.drop_index("ix_attempt_player_id_puzzle_id", "attempt")
    op.drop_column("player", "rated_since")
