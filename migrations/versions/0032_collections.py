"""Collections of puzzles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from webapp.process.column_types import UtcDateTime

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "collection",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("text", sa.String(1000), nullable=False, server_default=""),
        sa.Column("author", sa.String(60), nullable=False, server_default=""),
        sa.Column("cover_id", sa.Integer),
        sa.Column("publish_on", sa.Date),
        sa.Column("group_id", sa.Integer),
        sa.Column("version", sa.Integer, nullable=False, server_default="0"),
        sa.Column("created_at", UtcDateTime, nullable=False),
        sa.ForeignKeyConstraint(
            ["cover_id"], ["puzzle.id"], ondelete="SET NULL", name="fk_collection_cover_id_puzzle"
        ),
        sa.ForeignKeyConstraint(
            ["group_id"], ["player_group.id"], ondelete="CASCADE", name="fk_collection_group_id_player_group"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_collection"),
    )
    for name in ("cover_id", "publish_on", "group_id"):
        op.create_index(f"ix_collection_{name}", "collection", [name])
    op.create_table(
        "collection_puzzle",
        sa.Column("puzzle_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("collection_id", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], ondelete="CASCADE", name="fk_collection_puzzle_puzzle_id_puzzle"
        ),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collection.id"],
            ondelete="CASCADE",
            name="fk_collection_puzzle_collection_id_collection",
        ),
        sa.PrimaryKeyConstraint("puzzle_id", name="pk_collection_puzzle"),
    )
    op.create_index(
        "ix_collection_puzzle_collection_id_place", "collection_puzzle", ["collection_id", "place"]
    )


def downgrade() -> None:
    op.drop_table("collection_puzzle")
    op.drop_table("collection")
