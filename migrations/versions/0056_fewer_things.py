"""Drop what Ninefold 1.0 no longer has, and add what it has gained."""

from __future__ import annotations

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
    pass


def _desk() -> None:
    _offer_held_puzzles()
    for table in (
        "collection_puzzle",
        "collection",
        "submission",
        "api_token",
        "desk_mail",
    ):
        op.drop_table(table)


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
    pass


def downgrade() -> None:
    raise RuntimeError("This step drops data. Restore a backup from before the upgrade instead.")
