"""LessonProgress: a player's lessons and practice."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class LessonProgress(Base):
    """A player's progress with a technique."""

    __tablename__ = "lesson_progress"
    __table_args__ = ({"sqlite_with_rowid": False},)

    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True)
    technique: Mapped[str] = mapped_column(sa.String(40), primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
    practiced_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # when an exercise was first solved
    drills: Mapped[int] = mapped_column(default=0, server_default="0")
    right: Mapped[int] = mapped_column(default=0, server_default="0")  # drills answered right
