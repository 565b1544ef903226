"""Imports in the background: the file in pieces, how far it has come; what a file says about its puzzles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

COUNTS = ("new", "duplicate", "not_unique", "invalid")
NUMBERS = ("size", "read", "taken", *COUNTS, "held", "beyond")
TOLD = {"title": 200, "author": 100, "source": 200, "stated_level": 40}
IMPORT = sa.table("import", *(sa.column(name) for name in ("id", "created_at", "ended_at", "taken", *COUNTS)))
LINE = sa.table("import_line", sa.column("import_id"), sa.column("state"))


def upgrade() -> None:
    """Imports until now were stored as a whole; their counts are those of their lines."""
    for name, length in TOLD.items():
        op.add_column("puzzle", sa.Column(name, sa.String(length)))
    op.add_column("import", sa.Column("state", sa.String(10), nullable=False, server_default="done"))
    for name in NUMBERS:
        op.add_column("import", sa.Column(name, sa.Integer, nullable=False, server_default="0"))
    for column in (
        sa.Column("columns", sa.Text),
        sa.Column("lines", sa.Integer),
        sa.Column("message", sa.Text),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
    ):
        op.add_column("import", column)
    op.create_index("ix_import_state", "import", ["state", "id"])
    op.add_column("import_line", sa.Column("file_line", sa.Integer))
    op.create_index("ix_import_line_state", "import_line", ["import_id", "state", "line"])
    op.create_table(
        "import_piece",
        sa.Column("import_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["import_id"], ["import.id"], name="fk_import_piece_import_id_import", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("import_id", "number", name="pk_import_piece"),
    )

    def lines(state: str | None) -> sa.ScalarSelect[int]:
        found = sa.select(sa.func.count()).select_from(LINE).where(LINE.c.import_id == IMPORT.c.id)
        return (found if state is None else found.where(LINE.c.state == state)).scalar_subquery()

    values = {"taken": lines(None), **{state: lines(state) for state in COUNTS}}
    op.execute(sa.update(IMPORT).values(ended_at=IMPORT.c.created_at, **values))


def downgrade() -> None:
    op.drop_table("import_piece")
    op.drop_index("ix_import_line_state", "import_line")
    op.drop_column("import_line", "file_line")
    op.drop_index("ix_import_state", "import")
    for name in ("state", *NUMBERS, "columns", "lines", "message", "ended_at"):
        op.drop_column("import", name)
    for name in TOLD:
        op.drop_column("puzzle", name)
