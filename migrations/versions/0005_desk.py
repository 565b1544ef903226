"""The curation desk: curators, orders, imports, the audit log, and what the desk knows of a puzzle."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def _time(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _player() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("curator", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("totp_secret", sa.String(64)),
        sa.Column("totp_step", sa.BigInteger),
    )


def _puzzle() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("recipe", sa.Text),
        sa.Column("order_id", sa.Integer),
        sa.Column("version", sa.Integer, nullable=False, server_default="0"),
        sa.Column("reason", sa.String(200)),
        sa.Column("breakdown", sa.Text),
        sa.Column("relabelled", sa.Boolean, nullable=False, server_default=sa.false()),
    )


def upgrade() -> None:
    for column in _player():
        op.add_column("player", column)
    op.create_table(
        "puzzle_order",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("curator_id", sa.Integer),
        sa.Column("recipe", sa.Text, nullable=False),
        sa.Column("seed", sa.String(40), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("budget_seconds", sa.Integer, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("made", sa.Integer, nullable=False),
        sa.Column("tried", sa.Integer, nullable=False),
        sa.Column("message", sa.Text),
        _time("created_at"),
        _time("started_at", nullable=True),
        _time("ended_at", nullable=True),
        sa.CheckConstraint("count BETWEEN 1 AND 5000", name="ck_puzzle_order_count"),
        sa.ForeignKeyConstraint(
            ["curator_id"], ["player.id"], name="fk_puzzle_order_curator_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_puzzle_order"),
    )
    op.create_index("ix_puzzle_order_state", "puzzle_order", ["state", "id"])
    with op.batch_alter_table("puzzle") as batch:
        for column in _puzzle():
            batch.add_column(column)
        batch.create_foreign_key(
            "fk_puzzle_order_id", "puzzle_order", ["order_id"], ["id"], ondelete="SET NULL"
        )
        batch.create_index("ix_puzzle_order_id", ["order_id"])
    op.create_table(
        "import",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("curator_id", sa.Integer),
        sa.Column("name", sa.String(100), nullable=False),
        _time("created_at"),
        sa.ForeignKeyConstraint(
            ["curator_id"], ["player.id"], name="fk_import_curator_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_import"),
    )
    op.create_table(
        "import_line",
        sa.Column("import_id", sa.Integer, nullable=False),
        sa.Column("line", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("puzzle_id", sa.Integer),
        sa.ForeignKeyConstraint(
            ["import_id"], ["import.id"], name="fk_import_line_import_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], name="fk_import_line_puzzle_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("import_id", "line", name="pk_import_line"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_import_line_puzzle_id", "import_line", ["puzzle_id"])
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Integer, nullable=False),
        _time("at"),
        sa.Column("curator_id", sa.Integer),
        sa.Column("curator_name", sa.String(20), nullable=False),
        sa.Column("action", sa.String(30), nullable=False),
        sa.Column("subject", sa.String(20), nullable=False),
        sa.Column("subject_id", sa.String(22), nullable=False),
        sa.Column("before", sa.Text),
        sa.Column("after", sa.Text),
        sa.Column("note", sa.Text),
        sa.ForeignKeyConstraint(
            ["curator_id"], ["player.id"], name="fk_audit_entry_curator_id", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_audit_entry"),
    )
    op.create_index("ix_audit_entry_at", "audit_entry", ["at"])
    op.create_index("ix_audit_entry_curator_id", "audit_entry", ["curator_id"])
    op.create_index("ix_audit_entry_subject", "audit_entry", ["subject", "subject_id", "id"])


def downgrade() -> None:
    for table in ("audit_entry", "import_line", "import"):
        op.drop_table(table)
    # What waits or was turned down is nothing an older version knows: players must not be offered it.
    op.execute(sa.text("UPDATE puzzle SET status = 'entered' WHERE status IN ('candidate', 'rejected')"))
    with op.batch_alter_table("puzzle") as batch:
        batch.drop_index("ix_puzzle_order_id")
        batch.drop_constraint("fk_puzzle_order_id", type_="foreignkey")
        for column in _puzzle():
            batch.drop_column(column.name)
    op.drop_table("puzzle_order")
    with op.batch_alter_table("player") as batch:
        for column in _player():
            batch.drop_column(column.name)
