"""Create the schema of the last release before 1.0; databases of older steps already have it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "backup",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_backup")),
    )
    op.create_table(
        "bucket",
        sa.Column("key", sa.String(100), nullable=False),
        sa.Column("tokens", sa.Float, nullable=False),
        sa.Column("filled_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_bucket")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_bucket_filled_at", "bucket", ["filled_at"])
    op.create_table(
        "day_note",
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_day_note")),
    )
    op.create_table(
        "desk_setting",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_desk_setting")),
    )
    op.create_table(
        "exercise",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("technique", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("givens", sa.String(81), nullable=False),
        sa.Column("digits", sa.String(81), nullable=False),
        sa.Column("struck", sa.Text, server_default="", nullable=False),
        sa.Column("spoilers", sa.Text, server_default="", nullable=False),
        sa.Column("least", sa.Boolean, nullable=False),
        sa.Column("steps", sa.Text),
        sa.Column("seed", sa.String(40), nullable=False),
        sa.Column("engine_version", sa.String(20), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("length(digits) = 81", name=op.f("ck_exercise_digits")),
        sa.CheckConstraint("length(givens) = 81", name=op.f("ck_exercise_givens")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exercise")),
        sa.UniqueConstraint("technique", "kind", "givens", name=op.f("uq_exercise_technique_kind_givens")),
    )
    op.create_table(
        "failure",
        sa.Column("job", sa.String(40), nullable=False),
        sa.Column("item", sa.String(40), nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("job", "item", name=op.f("pk_failure")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_failure_at"), "failure", ["at"])
    op.create_table(
        "heartbeat",
        sa.Column("worker", sa.String(64), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("worker", name=op.f("pk_heartbeat")),
    )
    op.create_table(
        "league",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("period", sa.String(5), nullable=False),
        sa.Column("starts_on", sa.Date, nullable=False),
        sa.Column("number", sa.SmallInteger, nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league")),
        sa.UniqueConstraint("period", "starts_on", "number", name=op.f("uq_league_period_starts_on_number")),
    )
    op.create_table(
        "mail",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("state", sa.String(7), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.Text),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail")),
    )
    op.create_index(op.f("ix_mail_at"), "mail", ["at"])
    op.create_index(op.f("ix_mail_due_at"), "mail", ["due_at"])
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("text", sa.String(500), nullable=False),
        sa.Column("until", sa.Date, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
    )
    op.create_index(op.f("ix_notice_until"), "notice", ["until"])
    op.create_table(
        "player",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(22), nullable=False),
        sa.Column("name", sa.String(20)),
        sa.Column("name_key", sa.String(40)),
        sa.Column("password_hash", sa.String(200)),
        sa.Column("email", sa.String(254)),
        sa.Column("epoch", sa.Integer, server_default="0", nullable=False),
        sa.Column("listing", sa.String(9), server_default="named", nullable=False),
        sa.Column("suspended", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("suspended_until", sa.DateTime(timezone=True)),
        sa.Column("suspension_reason", sa.Text),
        sa.Column("appeal", sa.Text),
        sa.Column("reminder_hour", sa.SmallInteger),
        sa.Column("time_zone", sa.String(40)),
        sa.Column("reminded_on", sa.Date),
        sa.Column("language", sa.String(20)),
        sa.Column("rated_since", sa.DateTime(timezone=True)),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True)),
        sa.Column("named_at", sa.DateTime(timezone=True)),
        sa.Column("role", sa.String(13)),
        sa.Column("totp_secret", sa.String(200)),
        sa.Column("totp_step", sa.BigInteger),
        sa.Column("recovery_codes", sa.Text),
        sa.CheckConstraint(
            "(name IS NULL) = (password_hash IS NULL)", name=op.f("ck_player_ck_player_name_or_guest")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
        sa.UniqueConstraint("key", name=op.f("uq_player_key")),
        sa.UniqueConstraint("name", name=op.f("uq_player_name")),
        sa.UniqueConstraint("name_key", name=op.f("uq_player_name_key")),
    )
    op.create_table(
        "point_count",
        sa.Column("scope", sa.String(4), nullable=False),
        sa.Column("starts_on", sa.Date, nullable=False),
        sa.Column("level", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("tenth", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.CheckConstraint("players >= 0", name=op.f("ck_point_count_players")),
        sa.PrimaryKeyConstraint("scope", "starts_on", "level", "tenth", name=op.f("pk_point_count")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "theme",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("first_day", sa.Date, nullable=False),
        sa.Column("last_day", sa.Date, nullable=False),
        sa.Column("technique", sa.String(40), nullable=False),
        sa.Column("title", sa.String(100), nullable=False),
        sa.CheckConstraint("last_day >= first_day", name=op.f("ck_theme_ck_theme_days")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_theme")),
    )
    op.create_index(op.f("ix_theme_first_day"), "theme", ["first_day"])
    op.create_table(
        "weekday_look",
        sa.Column("weekday", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("level", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("er_from", sa.Float),
        sa.Column("er_to", sa.Float),
        sa.Column("hardest", sa.String(40)),
        sa.Column("givens_from", sa.SmallInteger),
        sa.Column("givens_to", sa.SmallInteger),
        sa.Column("symmetry", sa.String(20)),
        sa.CheckConstraint("level BETWEEN 1 AND 5", name=op.f("ck_weekday_look_level")),
        sa.CheckConstraint("weekday BETWEEN 0 AND 6", name=op.f("ck_weekday_look_weekday")),
        sa.PrimaryKeyConstraint("weekday", "level", name=op.f("pk_weekday_look")),
    )
    op.create_table(
        "weekday_target",
        sa.Column("weekday", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("level", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("minutes", sa.Float, nullable=False),
        sa.CheckConstraint("level BETWEEN 1 AND 5", name=op.f("ck_weekday_target_ck_weekday_target_level")),
        sa.CheckConstraint("minutes > 0", name=op.f("ck_weekday_target_ck_weekday_target_minutes")),
        sa.CheckConstraint(
            "weekday BETWEEN 0 AND 6", name=op.f("ck_weekday_target_ck_weekday_target_weekday")
        ),
        sa.PrimaryKeyConstraint("weekday", "level", name=op.f("pk_weekday_target")),
    )
    op.create_table(
        "api_token",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("read_only", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("parts", sa.String(200), server_default="", nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True)),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_api_token_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
        sa.UniqueConstraint("digest", name=op.f("uq_api_token_digest")),
    )
    op.create_index(op.f("ix_api_token_player_id"), "api_token", ["player_id"])
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("curator_id", sa.Integer),
        sa.Column("curator_name", sa.String(20), nullable=False),
        sa.Column("action", sa.String(30), nullable=False),
        sa.Column("subject", sa.String(20), nullable=False),
        sa.Column("subject_id", sa.String(22), nullable=False),
        sa.Column("before", sa.Text),
        sa.Column("after", sa.Text),
        sa.Column("note", sa.Text),
        sa.ForeignKeyConstraint(
            ["curator_id"], ["player.id"], name=op.f("fk_audit_entry_curator_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
    )
    op.create_index(op.f("ix_audit_entry_at"), "audit_entry", ["at"])
    op.create_index(op.f("ix_audit_entry_curator_id"), "audit_entry", ["curator_id"])
    op.create_index("ix_audit_entry_subject", "audit_entry", ["subject", "subject_id", "id"])
    op.create_table(
        "desk_mail",
        sa.Column("player_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("kinds", sa.String(60), nullable=False),
        sa.Column("told_until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_desk_mail_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_desk_mail")),
    )
    op.create_table(
        "import",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("curator_id", sa.Integer),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(10), server_default="done", nullable=False),
        sa.Column("size", sa.Integer, server_default="0", nullable=False),
        sa.Column("read", sa.Integer, server_default="0", nullable=False),
        sa.Column("columns", sa.Text),
        sa.Column("taken", sa.Integer, server_default="0", nullable=False),
        sa.Column("new", sa.Integer, server_default="0", nullable=False),
        sa.Column("duplicate", sa.Integer, server_default="0", nullable=False),
        sa.Column("not_unique", sa.Integer, server_default="0", nullable=False),
        sa.Column("invalid", sa.Integer, server_default="0", nullable=False),
        sa.Column("lines", sa.Integer),
        sa.Column("held", sa.Integer, server_default="0", nullable=False),
        sa.Column("beyond", sa.Integer, server_default="0", nullable=False),
        sa.Column("message", sa.Text),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["curator_id"], ["player.id"], name=op.f("fk_import_curator_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_import")),
    )
    op.create_index("ix_import_state", "import", ["state", "id"])
    op.create_table(
        "league_player",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("period", sa.String(5), nullable=False),
        sa.Column("tier", sa.SmallInteger, nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_league_player_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", "period", name=op.f("pk_league_player")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "league_seat",
        sa.Column("league_id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("points", sa.Float),
        sa.Column("solves", sa.Integer),
        sa.Column("rank", sa.SmallInteger),
        sa.Column("moved", sa.SmallInteger),
        sa.ForeignKeyConstraint(
            ["league_id"], ["league.id"], name=op.f("fk_league_seat_league_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_league_seat_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("league_id", "player_id", name=op.f("pk_league_seat")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_league_seat_player_id"), "league_seat", ["player_id"])
    op.create_table(
        "lesson_progress",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("technique", sa.String(40), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("practiced_at", sa.DateTime(timezone=True)),
        sa.Column("mastered_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_lesson_progress_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", "technique", name=op.f("pk_lesson_progress")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "passkey",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("credential", sa.LargeBinary(1023), nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_passkey_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkey")),
        sa.UniqueConstraint("credential", name=op.f("uq_passkey_credential")),
    )
    op.create_index(op.f("ix_passkey_player_id"), "passkey", ["player_id"])
    op.create_table(
        "player_group",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(22), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("owner_id", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["player.id"], name=op.f("fk_player_group_owner_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player_group")),
        sa.UniqueConstraint("key", name=op.f("uq_player_group_key")),
    )
    op.create_index(op.f("ix_player_group_owner_id"), "player_group", ["owner_id"])
    op.create_table(
        "player_rating",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("family", sa.String(20), nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("rated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_player_rating_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", "family", name=op.f("pk_player_rating")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "practice_card",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("technique", sa.String(40), nullable=False),
        sa.Column("phase", sa.SmallInteger, nullable=False),
        sa.Column("step", sa.SmallInteger),
        sa.Column("stability", sa.Float, nullable=False),
        sa.Column("difficulty", sa.Float, nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_practice_card_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", "technique", name=op.f("pk_practice_card")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "practice_session",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_practice_session_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_practice_session")),
        sa.UniqueConstraint("key", name=op.f("uq_practice_session_key")),
    )
    op.create_index(op.f("ix_practice_session_player_id"), "practice_session", ["player_id"])
    op.create_index(
        "uq_practice_session_open",
        "practice_session",
        ["player_id"],
        unique=True,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
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
        sa.Column("judged", sa.Integer, server_default="0", nullable=False),
        sa.Column("nearest", sa.Text),
        sa.Column("message", sa.Text),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True)),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.CheckConstraint("count BETWEEN 1 AND 5000", name=op.f("ck_puzzle_order_ck_puzzle_order_count")),
        sa.ForeignKeyConstraint(
            ["curator_id"], ["player.id"], name=op.f("fk_puzzle_order_curator_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzle_order")),
    )
    op.create_index("ix_puzzle_order_curator_id", "puzzle_order", ["curator_id", "id"])
    op.create_index("ix_puzzle_order_state", "puzzle_order", ["state", "id"])
    op.create_table(
        "rush_run",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("right", sa.Integer, server_default="0", nullable=False),
        sa.Column("wrong", sa.Integer, server_default="0", nullable=False),
        sa.Column("took_ms", sa.Integer, server_default="0", nullable=False),
        sa.Column("removed", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("verdict", sa.Text),
        sa.Column("misses", sa.Text, server_default="[]", nullable=False),
        sa.Column("number", sa.Integer, server_default="1", nullable=False),
        sa.Column("digits", sa.String(81), nullable=False),
        sa.Column("cell", sa.SmallInteger, nullable=False),
        sa.Column("digit", sa.SmallInteger, nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_rush_run_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rush_run")),
        sa.UniqueConstraint("key", name=op.f("uq_rush_run_key")),
    )
    op.create_index("ix_rush_run_day_right", "rush_run", ["day", "right"])
    op.create_index(op.f("ix_rush_run_player_id"), "rush_run", ["player_id"])
    op.create_index(op.f("ix_rush_run_right"), "rush_run", ["right"])
    op.create_table(
        "saved_search",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("curator_id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("query", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["curator_id"], ["player.id"], name=op.f("fk_saved_search_curator_id_player"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_search")),
        sa.UniqueConstraint("curator_id", "name", name=op.f("uq_saved_search_curator_id_name")),
    )
    op.create_table(
        "score",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("scope", sa.String(4), nullable=False),
        sa.Column("starts_on", sa.Date, nullable=False),
        sa.Column("level", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("points", sa.Float, nullable=False),
        sa.Column("solves", sa.Integer, nullable=False),
        sa.Column("provisional", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_score_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", "scope", "starts_on", "level", name=op.f("pk_score")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_score_table", "score", ["scope", "starts_on", "level", "points", "player_id"])
    op.create_table(
        "sign_in",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("device", sa.String(40), nullable=False),
        sa.Column("place", sa.String(45), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_sign_in_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_sign_in_player_id"), "sign_in", ["player_id"])
    op.create_index(op.f("ix_sign_in_seen_at"), "sign_in", ["seen_at"])
    op.create_table(
        "drill",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("session_id", sa.Integer),
        sa.Column("exercise_id", sa.Integer, nullable=False),
        sa.Column("technique", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(5), nullable=False),
        sa.Column("drawn_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True)),
        sa.Column("outcome", sa.String(6)),
        sa.Column("answer", sa.Text),
        sa.CheckConstraint(
            "(answered_at IS NULL) = (outcome IS NULL)", name=op.f("ck_drill_ck_drill_answered_has_outcome")
        ),
        sa.ForeignKeyConstraint(
            ["exercise_id"], ["exercise.id"], name=op.f("fk_drill_exercise_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_drill_player_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["session_id"], ["practice_session.id"], name=op.f("fk_drill_session_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_drill")),
        sa.UniqueConstraint("key", name=op.f("uq_drill_key")),
    )
    op.create_index(op.f("ix_drill_exercise_id"), "drill", ["exercise_id"])
    op.create_index("ix_drill_player_id_exercise_id", "drill", ["player_id", "exercise_id"])
    op.create_index(op.f("ix_drill_session_id"), "drill", ["session_id"])
    op.create_index(
        "uq_drill_open",
        "drill",
        ["player_id", "technique", "kind"],
        unique=True,
        sqlite_where=sa.text("answered_at IS NULL"),
        postgresql_where=sa.text("answered_at IS NULL"),
    )
    op.create_table(
        "import_piece",
        sa.Column("import_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["import_id"], ["import.id"], name=op.f("fk_import_piece_import_id_import"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("import_id", "number", name=op.f("pk_import_piece")),
    )
    op.create_table(
        "membership",
        sa.Column("group_id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["group_id"], ["player_group.id"], name=op.f("fk_membership_group_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_membership_player_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("group_id", "player_id", name=op.f("pk_membership")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_membership_player_id"), "membership", ["player_id"])
    op.create_table(
        "puzzle",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("givens", sa.String(81), nullable=False),
        sa.Column("canonical", sa.String(81)),
        sa.Column("solution_class", sa.BigInteger),
        sa.Column("level", sa.SmallInteger, nullable=False),
        sa.Column("rating_version", sa.String(40), nullable=False),
        sa.Column("explainer", sa.Float),
        sa.Column("hardest", sa.String(40)),
        sa.Column("expected_seconds", sa.Float),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("method", sa.String(20)),
        sa.Column("seed", sa.String(40)),
        sa.Column("engine_version", sa.String(20), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("first_started_at", sa.DateTime(timezone=True)),
        sa.Column("shown_at", sa.DateTime(timezone=True)),
        sa.Column("recipe", sa.Text),
        sa.Column("order_id", sa.Integer),
        sa.Column("title", sa.String(200)),
        sa.Column("author", sa.String(100)),
        sa.Column("source", sa.String(200)),
        sa.Column("stated_level", sa.String(40)),
        sa.Column("version", sa.Integer, server_default="0", nullable=False),
        sa.Column("reason", sa.String(200)),
        sa.Column("breakdown", sa.Text),
        sa.Column("offered", sa.Boolean, server_default=sa.true(), nullable=False),
        sa.Column("relabelled", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("rated_level", sa.SmallInteger),
        sa.Column("traced", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.CheckConstraint("length(givens) = 81", name=op.f("ck_puzzle_ck_puzzle_givens")),
        sa.CheckConstraint("level BETWEEN 1 AND 5", name=op.f("ck_puzzle_ck_puzzle_level")),
        sa.ForeignKeyConstraint(
            ["order_id"], ["puzzle_order.id"], name=op.f("fk_puzzle_order_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzle")),
        sa.UniqueConstraint("givens", name=op.f("uq_puzzle_givens")),
    )
    op.create_index(op.f("ix_puzzle_canonical"), "puzzle", ["canonical"])
    op.create_index(op.f("ix_puzzle_order_id"), "puzzle", ["order_id"])
    op.create_index("ix_puzzle_solution_class_status", "puzzle", ["solution_class", "status"])
    op.create_index(
        "ix_puzzle_status_expected_seconds_id_explainer",
        "puzzle",
        ["status", "expected_seconds", "id", "explainer"],
    )
    op.create_index("ix_puzzle_status_explainer_id", "puzzle", ["status", "explainer", "id"])
    op.create_index("ix_puzzle_status_hardest_id", "puzzle", ["status", "hardest", "id"])
    op.create_index("ix_puzzle_status_id_solution_class", "puzzle", ["status", "id", "solution_class"])
    op.create_index("ix_puzzle_status_level_explainer_id", "puzzle", ["status", "level", "explainer", "id"])
    op.create_index(
        "ix_puzzle_status_level_first_started_at", "puzzle", ["status", "level", "first_started_at"]
    )
    op.create_index("ix_puzzle_status_level_id", "puzzle", ["status", "level", "id"])
    op.create_index(
        "ix_puzzle_untraced",
        "puzzle",
        ["id"],
        sqlite_where=sa.text("traced = 0"),
        postgresql_where=sa.text("NOT traced"),
    )
    op.create_table(
        "collection",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("text", sa.String(1000), server_default="", nullable=False),
        sa.Column("author", sa.String(60), server_default="", nullable=False),
        sa.Column("cover_id", sa.Integer),
        sa.Column("publish_on", sa.Date),
        sa.Column("group_id", sa.Integer),
        sa.Column("withdrawn", sa.String(200)),
        sa.Column("version", sa.Integer, server_default="0", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["cover_id"], ["puzzle.id"], name=op.f("fk_collection_cover_id_puzzle"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["group_id"],
            ["player_group.id"],
            name=op.f("fk_collection_group_id_player_group"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_collection")),
    )
    op.create_index(op.f("ix_collection_cover_id"), "collection", ["cover_id"])
    op.create_index(op.f("ix_collection_group_id"), "collection", ["group_id"])
    op.create_index(op.f("ix_collection_publish_on"), "collection", ["publish_on"])
    op.create_table(
        "daily",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("date", sa.Date, nullable=False),
        sa.Column("level", sa.SmallInteger, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("by_hand", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("frozen_at", sa.DateTime(timezone=True)),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True)),
        sa.Column("former_id", sa.Integer),
        sa.Column("unsettled", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.CheckConstraint("level BETWEEN 1 AND 5", name=op.f("ck_daily_ck_daily_level")),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name=op.f("fk_daily_puzzle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_daily")),
        sa.UniqueConstraint("date", "level", name=op.f("uq_daily_date_level")),
        sa.UniqueConstraint("puzzle_id", name=op.f("uq_daily_puzzle_id")),
    )
    op.create_index("ix_daily_frozen_at_date", "daily", ["frozen_at", "date"])
    op.create_table(
        "daily_draft",
        sa.Column("date", sa.Date, nullable=False),
        sa.Column("level", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("curator_id", sa.Integer),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("level BETWEEN 1 AND 5", name=op.f("ck_daily_draft_ck_daily_draft_level")),
        sa.ForeignKeyConstraint(
            ["curator_id"], ["player.id"], name=op.f("fk_daily_draft_curator_id_player"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], name=op.f("fk_daily_draft_puzzle_id_puzzle"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("date", "level", name=op.f("pk_daily_draft")),
        sa.UniqueConstraint("puzzle_id", name=op.f("uq_daily_draft_puzzle_id")),
    )
    op.create_index(op.f("ix_daily_draft_curator_id"), "daily_draft", ["curator_id"])
    op.create_table(
        "import_line",
        sa.Column("import_id", sa.Integer, nullable=False),
        sa.Column("line", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("file_line", sa.Integer),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("puzzle_id", sa.Integer),
        sa.ForeignKeyConstraint(
            ["import_id"], ["import.id"], name=op.f("fk_import_line_import_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], name=op.f("fk_import_line_puzzle_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("import_id", "line", name=op.f("pk_import_line")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_import_line_puzzle_id"), "import_line", ["puzzle_id"])
    op.create_index("ix_import_line_state", "import_line", ["import_id", "state", "line"])
    op.create_table(
        "peek",
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_peek_player_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], name=op.f("fk_peek_puzzle_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player_id", "puzzle_id", name=op.f("pk_peek")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_peek_puzzle_id"), "peek", ["puzzle_id"])
    op.create_table(
        "puzzle_comment",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("curator_id", sa.Integer),
        sa.Column("curator_name", sa.String(20), nullable=False),
        sa.Column("text", sa.String(1000), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["curator_id"],
            ["player.id"],
            name=op.f("fk_puzzle_comment_curator_id_player"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], name=op.f("fk_puzzle_comment_puzzle_id_puzzle"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzle_comment")),
    )
    op.create_index(op.f("ix_puzzle_comment_curator_id"), "puzzle_comment", ["curator_id"])
    op.create_index(op.f("ix_puzzle_comment_puzzle_id"), "puzzle_comment", ["puzzle_id"])
    op.create_table(
        "puzzle_rating",
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("hardest", sa.String(40)),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], name=op.f("fk_puzzle_rating_puzzle_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("puzzle_id", name=op.f("pk_puzzle_rating")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_puzzle_rating_hardest_rating", "puzzle_rating", ["hardest", "rating", "puzzle_id"])
    op.create_index("ix_puzzle_rating_rating", "puzzle_rating", ["rating", "puzzle_id"])
    op.create_table(
        "puzzle_report",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer),
        sa.Column("text", sa.String(1000), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_puzzle_report_player_id_player"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], name=op.f("fk_puzzle_report_puzzle_id_puzzle"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzle_report")),
    )
    op.create_index(
        "ix_puzzle_report_open",
        "puzzle_report",
        ["id"],
        sqlite_where=sa.text("closed_at IS NULL"),
        postgresql_where=sa.text("closed_at IS NULL"),
    )
    op.create_index(op.f("ix_puzzle_report_player_id"), "puzzle_report", ["player_id"])
    op.create_index(op.f("ix_puzzle_report_puzzle_id"), "puzzle_report", ["puzzle_id"])
    op.create_table(
        "puzzle_trait",
        sa.Column("trait", sa.String(130), nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], name=op.f("fk_puzzle_trait_puzzle_id_puzzle"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("trait", "puzzle_id", name=op.f("pk_puzzle_trait")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_puzzle_trait_puzzle_id"), "puzzle_trait", ["puzzle_id"])
    op.create_table(
        "race",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.String(22), nullable=False),
        sa.Column("level", sa.SmallInteger, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True)),
        sa.Column("puzzle_id", sa.Integer),
        sa.Column("rematch_of", sa.Integer),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name=op.f("fk_race_puzzle_id")),
        sa.ForeignKeyConstraint(
            ["rematch_of"], ["race.id"], name=op.f("fk_race_rematch_of"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_race")),
        sa.UniqueConstraint("key", name=op.f("uq_race_key")),
        sa.UniqueConstraint("rematch_of", name=op.f("uq_race_rematch_of")),
    )
    op.create_index(op.f("ix_race_created_at"), "race", ["created_at"])
    op.create_index(op.f("ix_race_puzzle_id"), "race", ["puzzle_id"])
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True)),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_submission_player_id_player"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], name=op.f("fk_submission_puzzle_id_puzzle"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint("puzzle_id", name=op.f("uq_submission_puzzle_id")),
    )
    op.create_index(op.f("ix_submission_player_id"), "submission", ["player_id"])
    op.create_index(op.f("ix_submission_told_at"), "submission", ["told_at"])
    op.create_table(
        "attempt",
        sa.Column("id", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("turn", sa.String(28)),
        sa.Column("level", sa.SmallInteger, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seq", sa.Integer, nullable=False),
        sa.Column("log_length", sa.Integer, server_default="0", nullable=False),
        sa.Column("filled", sa.SmallInteger),
        sa.Column("paused_ms", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("paused_at", sa.DateTime(timezone=True)),
        sa.Column("assisted", sa.Boolean, nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
        sa.Column("elapsed_ms", sa.BigInteger),
        sa.Column("packed", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("daily_id", sa.Integer),
        sa.Column("ranked", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("steady_start", sa.String(60)),
        sa.Column("standing", sa.String(8)),
        sa.Column("doubts", sa.Text),
        sa.Column("verdict", sa.Text),
        sa.Column("appeal", sa.Text),
        sa.Column("original_id", sa.String(22)),
        sa.Column("board", sa.String(8)),
        sa.Column("board_ms", sa.BigInteger),
        sa.Column("percentile", sa.Float),
        sa.Column("provisional", sa.Float),
        sa.Column("replay_shown", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.CheckConstraint(
            "(board IS NULL) = (board_ms IS NULL)", name=op.f("ck_attempt_ck_attempt_board_has_time")
        ),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (elapsed_ms IS NULL)",
            name=op.f("ck_attempt_ck_attempt_finished_has_time"),
        ),
        sa.CheckConstraint(
            "finished_at >= started_at", name=op.f("ck_attempt_ck_attempt_finished_after_start")
        ),
        sa.ForeignKeyConstraint(["daily_id"], ["daily.id"], name=op.f("fk_attempt_daily_id")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_attempt_player_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name=op.f("fk_attempt_puzzle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt")),
    )
    op.create_index(
        "ix_attempt_board",
        "attempt",
        ["daily_id", "board", "board_ms", "finished_at", "id"],
        sqlite_where=sa.text("board IS NOT NULL"),
        postgresql_where=sa.text("board IS NOT NULL"),
    )
    op.create_index("ix_attempt_player_id_finished_at", "attempt", ["player_id", "finished_at"])
    op.create_index("ix_attempt_player_id_puzzle_id", "attempt", ["player_id", "puzzle_id"])
    op.create_index(op.f("ix_attempt_puzzle_id"), "attempt", ["puzzle_id"])
    op.create_index(
        "ix_attempt_record",
        "attempt",
        ["level", "board_ms", "finished_at"],
        sqlite_where=sa.text("board = 'day' AND percentile IS NOT NULL"),
        postgresql_where=sa.text("board = 'day' AND percentile IS NOT NULL"),
    )
    op.create_index(
        "ix_attempt_replay",
        "attempt",
        ["daily_id", "board", "board_ms"],
        sqlite_where=sa.text("replay_shown = 1"),
        postgresql_where=sa.text("replay_shown"),
    )
    op.create_index(
        "ix_attempt_standing",
        "attempt",
        ["standing", "finished_at"],
        sqlite_where=sa.text("standing IS NOT NULL"),
        postgresql_where=sa.text("standing IS NOT NULL"),
    )
    op.create_index(
        "ix_attempt_unfinished",
        "attempt",
        ["started_at"],
        sqlite_where=sa.text("finished_at IS NULL"),
        postgresql_where=sa.text("finished_at IS NULL"),
    )
    op.create_index(
        "ix_attempt_unfrozen",
        "attempt",
        ["daily_id", "board", "percentile"],
        sqlite_where=sa.text("board = 'day' AND percentile IS NULL"),
        postgresql_where=sa.text("board = 'day' AND percentile IS NULL"),
    )
    op.create_index(
        "ix_attempt_unpacked",
        "attempt",
        ["finished_at", "id"],
        sqlite_where=sa.text("finished_at IS NOT NULL AND NOT packed"),
        postgresql_where=sa.text("finished_at IS NOT NULL AND NOT packed"),
    )
    op.create_index(
        "ix_attempt_verdict",
        "attempt",
        ["updated_at"],
        sqlite_where=sa.text("verdict IS NOT NULL"),
        postgresql_where=sa.text("verdict IS NOT NULL"),
    )
    op.create_index(
        "uq_attempt_ranked",
        "attempt",
        ["player_id", "puzzle_id"],
        unique=True,
        sqlite_where=sa.text("ranked"),
        postgresql_where=sa.text("ranked"),
    )
    op.create_table(
        "collection_puzzle",
        sa.Column("puzzle_id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("collection_id", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collection.id"],
            name=op.f("fk_collection_puzzle_collection_id_collection"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"],
            ["puzzle.id"],
            name=op.f("fk_collection_puzzle_puzzle_id_puzzle"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("puzzle_id", name=op.f("pk_collection_puzzle")),
    )
    op.create_index(
        "ix_collection_puzzle_collection_id_place", "collection_puzzle", ["collection_id", "place"]
    )
    op.create_table(
        "time_count",
        sa.Column("daily_id", sa.Integer, nullable=False),
        sa.Column("board", sa.String(8), nullable=False),
        sa.Column("second", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("solves", sa.Integer, nullable=False),
        sa.CheckConstraint("solves >= 0", name=op.f("ck_time_count_ck_time_count_solves")),
        sa.ForeignKeyConstraint(
            ["daily_id"], ["daily.id"], name=op.f("fk_time_count_daily_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("daily_id", "board", "second", name=op.f("pk_time_count")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "move",
        sa.Column("attempt_id", sa.String(22), nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(6), nullable=False),
        sa.Column("cell", sa.Text, nullable=False),
        sa.Column("digit", sa.SmallInteger),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_move_attempt_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("attempt_id", "seq", name=op.f("pk_move")),
        sqlite_with_rowid=False,
    )
    _create_packed_log()
    op.create_table(
        "racer",
        sa.Column("race_id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("guest", sa.Boolean, nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempt_id", sa.String(22)),
        sa.Column("tenths", sa.SmallInteger, server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_racer_attempt_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_racer_player_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["race_id"], ["race.id"], name=op.f("fk_racer_race_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("race_id", "player_id", name=op.f("pk_racer")),
        sa.UniqueConstraint("attempt_id", name=op.f("uq_racer_attempt_id")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_racer_player_id"), "racer", ["player_id"])
    op.create_table(
        "rated_game",
        sa.Column("attempt_id", sa.String(22), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("rated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("family", sa.String(20), nullable=False),
        sa.Column("assisted", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("puzzle_rating", sa.Float, nullable=False),
        sa.Column("puzzle_deviation", sa.Float, nullable=False),
        sa.Column("puzzle_moved", sa.Float, nullable=False),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.CheckConstraint("score BETWEEN 0 AND 1", name=op.f("ck_rated_game_score")),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_rated_game_attempt_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_rated_game_player_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzle.id"], name=op.f("fk_rated_game_puzzle_id")),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_rated_game")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_rated_game_player_id_rated_at", "rated_game", ["player_id", "rated_at", "attempt_id"])
    op.create_index(op.f("ix_rated_game_puzzle_id"), "rated_game", ["puzzle_id"])
    op.create_index(
        "uq_rated_game_player_id_puzzle_id", "rated_game", ["player_id", "puzzle_id"], unique=True
    )
    op.create_table(
        "solve_order",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("attempt_id", sa.String(22), nullable=False),
        sa.Column("puzzle_id", sa.Integer, nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("places", sa.LargeBinary, nullable=False),
        sa.Column("waits", sa.LargeBinary, nullable=False),
        sa.Column("by_logic", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_solve_order_attempt_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_solve_order_player_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["puzzle_id"], ["puzzle.id"], name=op.f("fk_solve_order_puzzle_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_solve_order")),
        sa.UniqueConstraint("attempt_id", name=op.f("uq_solve_order_attempt_id")),
    )
    op.create_index(op.f("ix_solve_order_finished_at"), "solve_order", ["finished_at"])
    op.create_index(op.f("ix_solve_order_player_id"), "solve_order", ["player_id"])
    op.create_index(op.f("ix_solve_order_puzzle_id"), "solve_order", ["puzzle_id"])
    if op.get_bind().dialect.name == "postgresql":
        op.execute(GIVEN_COUNTS + " INCLUDE (givens)")
    else:
        op.execute(GIVEN_COUNTS)


GIVEN_COUNTS = (
    "CREATE INDEX ix_puzzle_status_given_count_id ON puzzle (status, length(replace(givens, '.', '')), id)"
)


def _create_packed_log() -> None:
    """Create the packed logs, which PostgreSQL partitions by month: webapp/models/months.py."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE TABLE packed_log (attempt_id varchar(22) NOT NULL"
            " CONSTRAINT fk_packed_log_attempt_id REFERENCES attempt ON DELETE CASCADE,"
            " month date NOT NULL, packed bytea NOT NULL) PARTITION BY RANGE (month)"
        )
        op.execute("CREATE INDEX ix_packed_log_attempt_id ON packed_log (attempt_id)")
        return
    op.create_table(
        "packed_log",
        sa.Column("attempt_id", sa.String(22), nullable=False),
        sa.Column("month", sa.Date, nullable=False),
        sa.Column("packed", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_packed_log_attempt_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_packed_log")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    metadata = sa.MetaData()
    metadata.reflect(op.get_bind())
    for table in reversed(metadata.sorted_tables):
        if table.name != "alembic_version":
            op.execute(f'DROP TABLE IF EXISTS "{table.name}"')
