"""A player's lessons and practice: their progress and card for each technique, sessions, and drills."""

from __future__ import annotations

import secrets
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.models.indexes import partial
from webapp.models.player import Player
from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


def _public_key() -> str:
    return secrets.token_urlsafe(16)  # 128 bits: unguessable, and reveals nothing about the position


class LessonProgress(Base):
    """When a player first reached each state of a technique; states are never lost."""

    __tablename__ = "lesson_progress"
    __table_args__ = ({"sqlite_with_rowid": False},)

    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True)
    technique: Mapped[str] = mapped_column(sa.String(40), primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
    practiced_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    mastered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class PracticeCard(Base):
    """Spaced repetition's state for a player and a technique: the fields of `fsrs.Card`."""

    __tablename__ = "practice_card"
    __table_args__ = ({"sqlite_with_rowid": False},)

    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True)
    technique: Mapped[str] = mapped_column(sa.String(40), primary_key=True)
    phase: Mapped[int] = mapped_column(sa.SmallInteger)  # fsrs.State
    step: Mapped[int | None] = mapped_column(sa.SmallInteger)
    stability: Mapped[float] = mapped_column(sa.Float)  # days
    difficulty: Mapped[float] = mapped_column(sa.Float)  # 1..10
    due_at: Mapped[datetime] = mapped_column(UtcDateTime)
    reviewed_at: Mapped[datetime] = mapped_column(UtcDateTime)


class PracticeSession(Base):
    """A few minutes of drills, chosen by what is due. A player has at most one open session."""

    __tablename__ = "practice_session"
    __table_args__ = (
        partial("uq_practice_session_open", "player_id", unique=True, where="ended_at IS NULL"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(sa.String(22), unique=True, default=_public_key)
    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), index=True)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Drill(Base):
    """One position given to a player. At most one per technique and kind is open, so none can be redrawn."""

    __tablename__ = "drill"
    __table_args__ = (
        sa.CheckConstraint("(answered_at IS NULL) = (outcome IS NULL)", name="answered_has_outcome"),
        sa.Index("ix_drill_player_id_exercise_id", "player_id", "exercise_id"),
        partial("uq_drill_open", "player_id", "technique", "kind", unique=True, where="answered_at IS NULL"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)  # in the order given
    key: Mapped[str] = mapped_column(sa.String(22), unique=True, default=_public_key)
    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"))
    session_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("practice_session.id", ondelete="CASCADE"), index=True
    )
    exercise_id: Mapped[int] = mapped_column(sa.ForeignKey("exercise.id", ondelete="CASCADE"), index=True)
    technique: Mapped[str] = mapped_column(sa.String(40))
    kind: Mapped[str] = mapped_column(sa.String(5))  # schedule.Kind
    drawn_at: Mapped[datetime] = mapped_column(UtcDateTime)
    answered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    outcome: Mapped[str | None] = mapped_column(sa.String(6))  # drills.Outcome
    answer: Mapped[str | None] = mapped_column(sa.Text)  # JSON of the player's answer

    player: Mapped[Player] = relationship()
    session: Mapped[PracticeSession | None] = relationship()
