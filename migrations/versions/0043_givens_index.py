"""Indexes as the databases use them, and a trait of puzzles that share a solution.

PostgreSQL can answer from the index by givens alone if that holds them. SQLite uses the index of what is to
be traced only if its condition is spelled as the query's is.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

NAME = "ix_puzzle_status_given_count_id"
COLUMNS = ["status", sa.text("length(replace(givens, '.', ''))"), "id"]
SHARED = """
INSERT INTO puzzle_trait (trait, puzzle_id)
SELECT 'solution:shared', id FROM puzzle
WHERE solution_class IN (
    SELECT solution_class FROM puzzle WHERE solution_class IS NOT NULL
    GROUP BY solution_class HAVING COUNT(*) > 1
)
"""


def upgrade() -> None:
    op.execute(SHARED)
    _replace(given_counts=["givens"], untraced="traced = 0")


def downgrade() -> None:
    op.execute("DELETE FROM puzzle_trait WHERE trait = 'solution:shared'")
    _replace(given_counts=[], untraced="NOT traced")


def _replace(given_counts: list[str], untraced: str) -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.drop_index(NAME, "puzzle")
        op.create_index(NAME, "puzzle", COLUMNS, postgresql_include=given_counts)
    else:
        op.drop_index("ix_puzzle_untraced", "puzzle")
        op.create_index("ix_puzzle_untraced", "puzzle", ["id"], sqlite_where=sa.text(untraced))
