"""Dailies, ranked solves and their boards, names and passwords, groups, limits."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def _player() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("name_key", sa.String(40)),
        sa.Column("password_hash", sa.String(200)),
        sa.Column("email", sa.String(254)),
        sa.Column("epoch", sa.Integer, nullable=False, server_default="0"),
        sa.Column("listing", sa.String(9), nullable=False, server_default="named"),
        sa.Column("named_at", sa.DateTime(timezone=True)),
    )


def _attempt() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("daily_id", sa.Integer),
        sa.Column("ranked", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("steady_start", sa.String(60)),
        sa.Column("standing", sa.String(8)),
        sa.Column("doubts", sa.Text),
        sa.Column("verdict", sa.Text),
        sa.Column("board", sa.String(8)),
        sa.Column("board_ms", sa.BigInteger),
        sa.Column("percentile", sa.Float),
    )


def upgrade() -> None:
    op.add_column("puzzle", sa.Column("canonical", sa.String(81)))
    op.create_index("ix_puzzle_canonical", "puzzle", ["canonical"])
    # Nobody had a password, so nobody had a name.
    op.execute(sa.text("UPDATE player SET name = NULL"))
    with op.batch_alter_table("player") as batch:
        for column in _player():
            batch.add_column(column)
        batch.create_unique_constraint("uq_player_name_key", ["name_key"])
        batch.create_check_constraint("ck_player_name_or_guest", "(name IS NULL) = (password_hash IS NULL)")
    op.create_table(
        "daily",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("date", sa.Date, nullable=False),
        sa.Column("level", sa.SmallInteger, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("by_hand", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("frozen_at", sa.DateTime(timezone=True)),
        sa.CheckConstraint("level BETWEEN 1 AND 5", name="ck_daily_level"),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name="fk_daily_puzzle_id"),
        sa.PrimaryKeyConstraint("id", name="pk_daily"),
        sa.UniqueConstraint("date", "level", name="uq_daily_date_level"),
        sa.UniqueConstraint("puzzle_id", name="uq_daily_puzzle_id"),
    )
    op.create_index("ix_daily_frozen_at_date", "daily", ["frozen_at", "date"])
    with op.batch_alter_table("attempt") as batch:
        for column in _attempt():
            batch.add_column(column)
        batch.create_foreign_key("fk_attempt_daily_id", "daily", ["daily_id"], ["id"])
        batch.create_check_constraint("ck_attempt_board_has_time", "(board IS NULL) = (board_ms IS NULL)")
    _partial_index("uq_attempt_ranked", ["player_id", "puzzle_id"], "ranked", unique=True)
    _partial_index(
        "ix_attempt_board", ["daily_id", "board", "board_ms", "finished_at", "id"], "board IS NOT NULL"
    )
    _partial_index("ix_attempt_standing", ["standing", "finished_at"], "standing IS NOT NULL")
    op.create_table(
        "time_count",
        sa.Column("daily_id", sa.Integer, nullable=False),
        sa.Column("board", sa.String(8), nullable=False),
        sa.Column("second", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("solves", sa.Integer, nullable=False),
        sa.CheckConstraint("solves >= 0", name="ck_time_count_solves"),
        _to("time_count", "daily_id", "daily.id"),
        sa.PrimaryKeyConstraint("daily_id", "board", "second", name="pk_time_count"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "score",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("scope", sa.String(4), nullable=False),
        sa.Column("starts_on", sa.Date, nullable=False),
        sa.Column("level", sa.SmallInteger, nullable=False, autoincrement=False),
        sa.Column("points", sa.Float, nullable=False),
        sa.Column("solves", sa.Integer, nullable=False),
        _to("score", "player_id", "player.id"),
        sa.PrimaryKeyConstraint("player_id", "scope", "starts_on", "level", name="pk_score"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_score_table", "score", ["scope", "starts_on", "level", "points", "player_id"])
    op.create_table(
        "player_group",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(22), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("owner_id", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        _to("player_group", "owner_id", "player.id"),
        sa.PrimaryKeyConstraint("id", name="pk_player_group"),
        sa.UniqueConstraint("key", name="uq_player_group_key"),
    )
    op.create_index("ix_player_group_owner_id", "player_group", ["owner_id"])
    op.create_table(
        "membership",
        sa.Column("group_id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        _to("membership", "group_id", "player_group.id"),
        _to("membership", "player_id", "player.id"),
        sa.PrimaryKeyConstraint("group_id", "player_id", name="pk_membership"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_membership_player_id", "membership", ["player_id"])
    op.create_table(
        "bucket",
        sa.Column("key", sa.String(100), nullable=False),
        sa.Column("tokens", sa.Float, nullable=False),
        sa.Column("filled_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_bucket"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bucket_filled_at", "bucket", ["filled_at"])
    op.create_table(
        "peek",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        _to("peek", "player_id", "player.id"),
        _to("peek", "puzzle_id", "puzzle.id"),
        sa.PrimaryKeyConstraint("player_id", "puzzle_id", name="pk_peek"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_peek_puzzle_id", "peek", ["puzzle_id"])


def _to(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [target], name=f"fk_{table}_{column}", ondelete="CASCADE")


def _partial_index(name: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    condition = sa.text(where)
    op.create_index(
        name, "attempt", columns, unique=unique, sqlite_where=condition, postgresql_where=condition
    )


def downgrade() -> None:
    for table in ("peek", "bucket", "membership", "player_group", "score", "time_count"):
        op.drop_table(table)
    for index in ("ix_attempt_standing", "ix_attempt_board", "uq_attempt_ranked"):
        op.drop_index(index, "attempt")
    with op.batch_alter_table("attempt") as batch:
        batch.drop_constraint("ck_attempt_board_has_time", type_="check")
        batch.drop_constraint("fk_attempt_daily_id", type_="foreignkey")
        for column in _attempt():
            batch.drop_column(column.name)
    op.drop_table("daily")
    with op.batch_alter_table("player") as batch:
        batch.drop_constraint("ck_player_name_or_guest", type_="check")
        batch.drop_constraint("uq_player_name_key", type_="unique")
        for column in _player():
            batch.drop_column(column.name)
    # A puzzle that was a daily goes back to the bank.
    op.execute(sa.text("UPDATE puzzle SET status = 'approved' WHERE status = 'daily'"))
    op.drop_index("ix_puzzle_canonical", "puzzle")
    with op.batch_alter_table("puzzle") as batch:
        batch.drop_column("canonical")
