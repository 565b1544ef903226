"""The month of each packed log, by which PostgreSQL keeps them in partitions: webapp/models/months.py."""

from __future__ import annotations

from datetime import date

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

OLD = "packed_log_before"
IN_SQLITE = "strftime('%Y-%m-01', attempt.finished_at)"
IN_POSTGRESQL = "date_trunc('month', attempt.finished_at AT TIME ZONE 'UTC')::date"


def upgrade() -> None:
    op.rename_table("packed_log", OLD)
    if op.get_bind().dialect.name == "postgresql":
        _partitioned()
        month = IN_POSTGRESQL
    else:
        _create(sa.Column("month", sa.Date, nullable=False))
        month = IN_SQLITE
    op.execute(
        f"INSERT INTO packed_log (attempt_id, month, packed) SELECT attempt_id, {month}, {OLD}.packed"  # noqa: S608
        f" FROM {OLD} JOIN attempt ON attempt.id = attempt_id ORDER BY attempt_id"
    )
    op.drop_table(OLD)


def downgrade() -> None:
    op.rename_table("packed_log", OLD)
    _create()
    op.execute(
        "INSERT INTO packed_log (attempt_id, packed)"  # noqa: S608
        f" SELECT attempt_id, packed FROM {OLD} ORDER BY attempt_id"
    )
    op.drop_table(OLD)


def _create(*month: sa.Column[date]) -> None:
    """The table in one piece."""
    op.create_table(
        "packed_log",
        sa.Column("attempt_id", sa.String(22), nullable=False),
        *month,
        sa.Column("packed", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_packed_log_attempt_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_packed_log")),
        sqlite_with_rowid=False,
    )


def _partitioned() -> None:
    """The table by months, with a partition for each that has logs."""
    op.execute(
        "CREATE TABLE packed_log (attempt_id varchar(22) NOT NULL"
        " CONSTRAINT fk_packed_log_attempt_id REFERENCES attempt ON DELETE CASCADE,"
        " month date NOT NULL, packed bytea NOT NULL) PARTITION BY RANGE (month)"
    )
    op.execute("CREATE INDEX ix_packed_log_attempt_id ON packed_log (attempt_id)")
    months = f"SELECT DISTINCT {IN_POSTGRESQL} FROM {OLD} JOIN attempt ON attempt.id = attempt_id"  # noqa: S608
    for (month,) in op.get_bind().execute(sa.text(months)).all():
        bounds = f"FROM ('{month}') TO ((date '{month}' + interval '1 month')::date)"
        op.execute(f"CREATE TABLE packed_log_{month:%Y_%m} PARTITION OF packed_log FOR VALUES {bounds}")
