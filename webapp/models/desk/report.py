"""PuzzleReport: what a player says is wrong with a puzzle."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.models.player import Player
from webapp.models.puzzle import Puzzle
from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class PuzzleReport(Base):
    __tablename__ = "puzzle_report"
    __table_args__ = (
        sa.Index(
            "ix_puzzle_report_open",
            "id",
            sqlite_where=sa.text("closed_at IS NULL"),
            postgresql_where=sa.text("closed_at IS NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id", ondelete="CASCADE"), index=True)
    # None for a visitor who has no game.
    player_id: Mapped[int | None] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), index=True)
    text: Mapped[str] = mapped_column(sa.String(1000))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    player: Mapped[Player | None] = relationship()
    puzzle: Mapped[Puzzle] = relationship()
