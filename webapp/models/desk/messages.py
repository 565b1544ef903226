"""Messages between curators and players: comments, news by mail, notices, reports."""

from __future__ import annotations

from datetime import date, datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.models.indexes import partial
from webapp.models.player import Player
from webapp.models.puzzle import Puzzle
from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class PuzzleComment(Base):
    """A curator's, for the others. The name stays when the account is deleted, as in the audit log."""

    __tablename__ = "puzzle_comment"

    id: Mapped[int] = mapped_column(primary_key=True)
    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id", ondelete="CASCADE"), index=True)
    curator_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("player.id", ondelete="SET NULL"), index=True
    )
    curator_name: Mapped[str] = mapped_column(sa.String(20))
    text: Mapped[str] = mapped_column(sa.String(1000))
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class Notice(Base):
    """A message of curators to all players, on the home page."""

    __tablename__ = "notice"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(sa.String(500))
    until: Mapped[date] = mapped_column(sa.Date, index=True)  # the last day on which it is shown
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class PuzzleReport(Base):
    """A player's complaint about a puzzle."""

    __tablename__ = "puzzle_report"
    __table_args__ = (partial("ix_puzzle_report_open", "id", where="closed_at IS NULL"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id", ondelete="CASCADE"), index=True)
    # None for a visitor who has no game.
    player_id: Mapped[int | None] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), index=True)
    text: Mapped[str] = mapped_column(sa.String(1000))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    player: Mapped[Player | None] = relationship()
    puzzle: Mapped[Puzzle] = relationship()
