"""Search over the bank: traits of puzzles, tags among them, saved searches, and indexes for its lists."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

LISTS = ("level", "explainer", "expected_seconds", "hardest")


def upgrade() -> None:
    """The worker fills in the traits of the puzzles that are there."""
    op.create_table(
        "puzzle_trait",
        sa.Column("trait", sa.String(130), nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], ondelete="CASCADE", name="fk_puzzle_trait_puzzle_id_puzzle"
        ),
        sa.PrimaryKeyConstraint("trait", "puzzle_id", name="pk_puzzle_trait"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_puzzle_trait_puzzle_id", "puzzle_trait", ["puzzle_id"])
    op.create_table(
        "saved_search",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("curator_id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["curator_id"], ["player.id"], ondelete="CASCADE", name="fk_saved_search_curator_id_player"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_saved_search"),
        sa.UniqueConstraint("curator_id", "name", name="uq_saved_search_curator_id_name"),
    )
    op.add_column("puzzle", sa.Column("traced", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("ix_puzzle_status_id", "puzzle", ["status", "id"])
    for name in LISTS:
        op.create_index(f"ix_puzzle_status_{name}_id", "puzzle", ["status", name, "id"])
    count = sa.text("length(replace(givens, '.', ''))")
    op.create_index("ix_puzzle_status_given_count_id", "puzzle", ["status", count, "id"])
    untraced = sa.text("NOT traced")
    op.create_index("ix_puzzle_untraced", "puzzle", ["id"], sqlite_where=untraced, postgresql_where=untraced)


def downgrade() -> None:
    for name in ("untraced", "status_given_count_id", "status_id", *(f"status_{name}_id" for name in LISTS)):
        op.drop_index(f"ix_puzzle_{name}", "puzzle")
    op.drop_column("puzzle", "traced")
    op.drop_table("saved_search")
    op.drop_table("puzzle_trait")
