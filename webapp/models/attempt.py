"""Attempt and Move: one player's go at one puzzle, and everything done in it, in order."""

from __future__ import annotations

import secrets
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.database import Base
from webapp.models.player import Player
from webapp.models.puzzle import Puzzle
from webapp.models.types import UtcDateTime


def _public_id() -> str:
    return secrets.token_urlsafe(16)  # 128 bits: an address nobody guesses


class Attempt(Base):
    """What the moves say is repeated here only where a list must be searched or sorted by it."""

    __tablename__ = "attempt"
    __table_args__ = (
        sa.CheckConstraint("finished_at >= started_at", name="finished_after_start"),
        sa.CheckConstraint("(finished_at IS NULL) = (elapsed_ms IS NULL)", name="finished_has_time"),
        sa.Index("ix_attempt_player_id_finished_at", "player_id", "finished_at"),
    )

    id: Mapped[str] = mapped_column(sa.String(22), primary_key=True, default=_public_id)
    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"))
    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id"), index=True)
    level: Mapped[int] = mapped_column(sa.SmallInteger)  # the puzzle's level at the start, kept
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_seq: Mapped[int] = mapped_column(default=0)
    assisted: Mapped[bool] = mapped_column(default=False)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    elapsed_ms: Mapped[int | None] = mapped_column(sa.BigInteger)

    player: Mapped[Player] = relationship()
    puzzle: Mapped[Puzzle] = relationship()


class Move(Base):
    """One numbered move, as docs/move-log.md defines it; rows are only ever added."""

    __tablename__ = "move"
    __table_args__ = ({"sqlite_with_rowid": False},)  # an attempt's moves lie side by side

    attempt_id: Mapped[str] = mapped_column(sa.ForeignKey("attempt.id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(sa.String(6))
    cell: Mapped[str] = mapped_column(sa.Text)
    digit: Mapped[int | None] = mapped_column(sa.SmallInteger)
    received_at: Mapped[datetime] = mapped_column(UtcDateTime)
