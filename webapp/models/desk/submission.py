"""Submission: a puzzle that a player submits for everyone to play."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.models.player import Player
from webapp.models.puzzle import Puzzle
from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class Submission(Base):
    """The puzzle holds the title and the curators' decision."""

    __tablename__ = "submission"

    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), index=True)
    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id", ondelete="CASCADE"), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # When the player was mailed the decision
    told_at: Mapped[datetime | None] = mapped_column(UtcDateTime, index=True)

    player: Mapped[Player] = relationship()
    puzzle: Mapped[Puzzle] = relationship()
