"""Indexes that hold what the desk searches by, so that a large bank is read only where it matches."""

from __future__ import annotations

from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

BEFORE = {
    "ix_puzzle_solution_class": ["solution_class"],
    "ix_puzzle_status_id": ["status", "id"],
    "ix_puzzle_status_expected_seconds_id": ["status", "expected_seconds", "id"],
}
SINCE = {
    "ix_puzzle_solution_class_status": ["solution_class", "status"],
    "ix_puzzle_status_id_solution_class": ["status", "id", "solution_class"],
    "ix_puzzle_status_expected_seconds_id_explainer": ["status", "expected_seconds", "id", "explainer"],
    "ix_puzzle_status_level_explainer_id": ["status", "level", "explainer", "id"],
}


def upgrade() -> None:
    _replace(BEFORE, SINCE)


def downgrade() -> None:
    _replace(SINCE, BEFORE)


def _replace(old: dict[str, list[str]], new: dict[str, list[str]]) -> None:
    for name, columns in new.items():
        op.create_index(name, "puzzle", columns)
    for name in old:
        op.drop_index(name, "puzzle")
