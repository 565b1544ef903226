"""Drop what Ninefold 1.0 no longer has, and add what it has gained."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _competition()
    _desk()
    _learn()
    _house()
    _play()


def _competition() -> None:
    for table in ("league_seat", "league", "league_player", "time_count", "point_count", "score"):
        op.drop_table(table)
    op.execute("DELETE FROM desk_setting WHERE name = 'daily_levels'")
    op.drop_column("player", "settled_at")
    op.drop_index("ix_daily_frozen_at_date", "daily")
    op.execute("ALTER TABLE daily RENAME COLUMN frozen_at TO closed_at")
    op.create_index("ix_daily_closed_at_date", "daily", ["closed_at", "date"])
    _attempts()
    _scores()


def _attempts() -> None:
    """Keep points in place of percentiles, and the time on a list no more: it is that of the game."""
    for index in ("ix_attempt_board", "ix_attempt_record", "ix_attempt_replay", "ix_attempt_unfrozen"):
        op.drop_index(index, "attempt")
    op.add_column("attempt", sa.Column("points", sa.SmallInteger))
    op.add_column("attempt", sa.Column("waited_ms", sa.BigInteger))
    op.execute(
        "UPDATE attempt SET board = CASE WHEN doubts IS NOT NULL AND verdict IS NULL THEN 'unranked'"
        " ELSE 'day' END WHERE board = 'trial'"
    )
    _list_reviewed()
    # First place earns 100 points, and each place below an equal step less.
    op.execute(
        "UPDATE attempt SET points = (200 * (given.total - given.rank + 1) + given.total) / (2 * given.total)"
        " FROM (SELECT attempt.id, rank() OVER (PARTITION BY daily_id ORDER BY elapsed_ms / 1000) AS rank,"
        " count(*) OVER (PARTITION BY daily_id) AS total"
        " FROM attempt JOIN daily ON daily.id = daily_id"
        " WHERE board = 'day' AND closed_at IS NOT NULL) AS given WHERE given.id = attempt.id"
    )
    # Players who are hidden now come back to their place.
    op.execute(
        "UPDATE attempt SET points = CASE WHEN percentile < 1 THEN 1 ELSE round(percentile) END"
        " WHERE board IS NULL AND percentile IS NOT NULL AND standing = 'verified'"
    )
    with op.batch_alter_table("attempt") as batch:
        batch.drop_constraint(op.f("ck_attempt_ck_attempt_board_has_time"), type_="check")
        for column in ("board_ms", "percentile", "provisional"):
            batch.drop_column(column)
    op.create_index(
        "ix_attempt_board",
        "attempt",
        ["daily_id", "board", "elapsed_ms", "finished_at", "id"],
        sqlite_where=sa.text("board IS NOT NULL"),
        postgresql_where=sa.text("board IS NOT NULL"),
    )
    op.create_index(
        "ix_attempt_replay",
        "attempt",
        ["daily_id", "board", "elapsed_ms"],
        sqlite_where=sa.text("replay_shown = 1"),
        postgresql_where=sa.text("replay_shown"),
    )


def _list_reviewed() -> None:
    """List solves under review without a rank."""
    bind = op.get_bind()
    under_review = "SELECT DISTINCT daily.id, date FROM daily JOIN attempt ON daily_id = daily.id"
    days = sa.text(f"{under_review} WHERE standing = 'review'").columns(id=sa.Integer, date=sa.Date)
    closes = sa.bindparam("closes", type_=sa.DateTime(timezone=True))
    listed = sa.text(
        "UPDATE attempt SET board = 'unranked', board_ms = elapsed_ms WHERE daily_id = :daily"
        " AND standing = 'review' AND ranked AND finished_at < :closes"
        " AND EXISTS (SELECT 1 FROM player WHERE player.id = player_id AND name IS NOT NULL"
        " AND named_at < :closes AND listing <> 'none' AND NOT suspended)"
        " AND NOT EXISTS (SELECT 1 FROM peek WHERE peek.player_id = attempt.player_id"
        " AND peek.puzzle_id = attempt.puzzle_id AND seen_at < attempt.finished_at)"
        " AND NOT EXISTS (SELECT 1 FROM attempt AS earlier WHERE earlier.player_id = attempt.player_id"
        " AND earlier.puzzle_id = attempt.puzzle_id AND earlier.started_at < attempt.started_at)"
        " AND puzzle_id = (SELECT puzzle_id FROM daily WHERE daily.id = :daily"
        " AND (withdrawn_at IS NULL OR former_id <> puzzle_id))"
    ).bindparams(closes)
    for daily, day in bind.execute(days).all():
        end = datetime.combine(day, time(), UTC) + timedelta(hours=48)
        bind.execute(listed, {"daily": daily, "closes": end})


def _scores() -> None:
    """Make the points of weeks and of all time anew, whole."""
    op.create_table(
        "score",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("scope", sa.String(4), nullable=False),
        sa.Column("starts_on", sa.Date, nullable=False),
        sa.Column("level", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("solves", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_score_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", "scope", "starts_on", "level", name=op.f("pk_score")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_score_table", "score", ["scope", "starts_on", "level", "points", "player_id"])
    bind = op.get_bind()
    solves = "FROM attempt JOIN daily ON daily.id = daily_id WHERE board = 'day' AND points IS NOT NULL"
    days = bind.execute(sa.text(f"SELECT min(date), max(date) {solves}").columns(sa.Date, sa.Date))
    first, last = days.one()
    dates = [sa.bindparam(name, type_=sa.Date) for name in ("monday", "next")]
    for group in ("0", "daily.level"):
        by = "player_id" if group == "0" else f"player_id, {group}"
        week = sa.text(
            f"INSERT INTO score SELECT player_id, 'week', :monday, {group}, sum(points), count(*) {solves}"
            f" AND date >= :monday AND date < :next GROUP BY {by}"
        ).bindparams(*dates)
        monday = None if first is None else first - timedelta(days=first.weekday())
        while monday is not None and monday <= last:
            bind.execute(week, {"monday": monday, "next": monday + timedelta(days=7)})
            monday += timedelta(days=7)
        latest = (
            f"SELECT player_id, {group} AS level, points, row_number() OVER (PARTITION BY {by}"
            f" ORDER BY date DESC, daily.level DESC) AS place {solves}"
        )
        mean = sa.text(
            "INSERT INTO score SELECT player_id, 'all', :first, level,"  # noqa: S608 - constants alone
            " (2 * sum(points) + count(*)) / (2 * count(*)), count(*)"
            f" FROM ({latest}) AS latest WHERE place <= 100 GROUP BY player_id, level HAVING count(*) >= 20"
        )
        bind.execute(mean.bindparams(sa.bindparam("first", type_=sa.Date)), {"first": date(2026, 1, 1)})


def _desk() -> None:
    _offer_held_puzzles()
    for table in (
        *("daily_draft", "day_note", "theme", "weekday_target", "weekday_look", "desk_setting"),
        *("collection_puzzle", "collection", "submission", "api_token", "desk_mail"),
        *("saved_search", "puzzle_comment", "import_line", "import_piece"),
    ):
        op.drop_table(table)
    # Files that wait are gone with their pieces, and so are reports of single lines.
    op.execute("UPDATE \"import\" SET state = 'cancelled' WHERE state IN ('waiting', 'queued', 'running')")
    for column in ("size", "read", "beyond", "lines", "held"):
        op.drop_column("import", column)
    op.add_column("import", sa.Column("data", sa.LargeBinary()))
    op.add_column("import", sa.Column("report", sa.Text()))
    for column in ("judged", "nearest"):
        op.drop_column("puzzle_order", column)
    op.execute("DELETE FROM puzzle_trait WHERE trait LIKE 'tag:%' AND trait <> 'tag:favorite'")
    op.create_table(
        "puzzle_vote",
        sa.Column(
            "player_id",
            sa.Integer(),
            sa.ForeignKey("player.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column(
            "puzzle_id",
            sa.Integer(),
            sa.ForeignKey("puzzle.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("good", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_puzzle_vote_puzzle_id", "puzzle_vote", ["puzzle_id"])


def _offer_held_puzzles() -> None:
    """Offer the puzzles that collections held. Those that were published count as shown."""
    op.execute(
        "UPDATE puzzle SET shown_at = coalesce(shown_at, CURRENT_TIMESTAMP) WHERE id IN"
        " (SELECT puzzle_id FROM collection_puzzle JOIN collection ON collection.id = collection_id"
        " WHERE publish_on IS NOT NULL)"
    )
    op.execute(
        "UPDATE puzzle SET offered = true WHERE status = 'approved' AND"
        " (id IN (SELECT puzzle_id FROM daily_draft) OR id IN (SELECT puzzle_id FROM collection_puzzle))"
    )


def _learn() -> None:
    with op.batch_alter_table("lesson_progress") as batch:
        batch.add_column(sa.Column("drills", sa.Integer, nullable=False, server_default="0"))
        batch.add_column(sa.Column("right", sa.Integer, nullable=False, server_default="0"))
    op.execute(
        "INSERT INTO lesson_progress (player_id, technique, seen_at) "
        "SELECT player_id, technique, min(drawn_at) FROM drill WHERE answered_at IS NOT NULL "
        "GROUP BY player_id, technique ON CONFLICT DO NOTHING"
    )
    op.execute(
        "UPDATE lesson_progress SET practiced_at = coalesce(practiced_at, mastered_at), "
        "drills = (SELECT count(outcome) FROM drill AS d "
        "WHERE d.player_id = lesson_progress.player_id AND d.technique = lesson_progress.technique), "
        "\"right\" = (SELECT count(outcome) FROM drill AS d WHERE d.outcome = 'right' "
        "AND d.player_id = lesson_progress.player_id AND d.technique = lesson_progress.technique)"
    )
    op.drop_column("lesson_progress", "mastered_at")
    for table in ("drill", "practice_session", "practice_card", "exercise"):
        op.drop_table(table)
    for table in ("rush_run", "rated_game", "puzzle_rating", "player_rating"):
        op.drop_table(table)
    op.drop_column("player", "rated_since")


def _house() -> None:
    op.drop_table("passkey")
    for column in ("reminder_hour", "reminded_on", "time_zone"):
        op.drop_column("player", column)


def _play() -> None:
    _puzzles_of_systems()


def _puzzles_of_systems() -> None:
    with op.batch_alter_table("puzzle") as batch:
        batch.add_column(sa.Column("system", sa.String(2)))
        batch.create_index("ix_puzzle_system", ["system"])


def downgrade() -> None:
    raise RuntimeError("This step drops data. Restore a backup from before the upgrade instead.")
