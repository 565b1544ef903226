"""An index by givens that PostgreSQL can answer from alone, and a trait of puzzles that share a solution."""

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
    _replace(include=["givens"])


def downgrade() -> None:
    op.execute("DELETE FROM puzzle_trait WHERE trait = 'solution:shared'")
    _replace(include=None)


def _replace(include: list[str] | None) -> None:
    """Only PostgreSQL has columns that an index merely holds; SQLite keeps the one it has."""
    if op.get_bind().dialect.name == "postgresql":
        op.drop_index(NAME, "puzzle")
        op.create_index(NAME, "puzzle", COLUMNS, postgresql_include=include or [])
