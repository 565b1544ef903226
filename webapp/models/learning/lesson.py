"""LessonProgress: a player's progress with a technique."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class LessonProgress(Base):
    """When a player first reached each state of a technique; states are never lost."""

    __tablename__ = "lesson_progress"
    __table_args__ = ({"sqlite_with_rowid": False},)

    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True)
    technique: Mapped[str] = mapped_column(sa.String(40), primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
    practiced_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    mastered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
