"""Peek: who has seen a puzzle without playing it, and so cannot play it ranked."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.models.types import UtcDateTime
from webapp.process.database import Base


class Peek(Base):
    __tablename__ = "peek"
    __table_args__ = ({"sqlite_with_rowid": False},)

    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True)
    puzzle_id: Mapped[int] = mapped_column(
        sa.ForeignKey("puzzle.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
