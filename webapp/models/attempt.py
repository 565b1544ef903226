"""One player and one puzzle: Attempt, its moves in order, and Peek, who saw the puzzle without playing it."""

from __future__ import annotations

import re
import secrets
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.models.daily import Daily
from webapp.models.player import Player
from webapp.models.puzzle import Puzzle
from webapp.models.types import UtcDateTime
from webapp.process.database import Base

PUBLIC_ID = re.compile(r"[\w-]{22}", re.ASCII)


def _public_id() -> str:
    return secrets.token_urlsafe(16)  # 128 bits: an address nobody guesses


class Standing(StrEnum):
    """What became of a ranked solve."""

    VERIFIED = "verified"
    ASSISTED = "assisted"  # a hint, a check or a revealed candidate
    REVIEW = "review"  # the rules doubt it; a curator decides
    REMOVED = "removed"  # a curator has decided against it


class Attempt(Base):
    """What the moves say is repeated here only where a list must be searched or sorted by it."""

    __tablename__ = "attempt"
    __table_args__ = (
        sa.CheckConstraint("finished_at >= started_at", name="finished_after_start"),
        sa.CheckConstraint("(finished_at IS NULL) = (elapsed_ms IS NULL)", name="finished_has_time"),
        sa.CheckConstraint("(board IS NULL) = (board_ms IS NULL)", name="board_has_time"),
        sa.Index("ix_attempt_player_id_finished_at", "player_id", "finished_at"),
        sa.Index(
            "uq_attempt_ranked",
            "player_id",
            "puzzle_id",
            unique=True,
            sqlite_where=sa.text("ranked"),
            postgresql_where=sa.text("ranked"),
        ),
        # A page of a board, and the rows before it, are read from here alone.
        sa.Index(
            "ix_attempt_board",
            "daily_id",
            "board",
            "board_ms",
            "finished_at",
            "id",
            sqlite_where=sa.text("board IS NOT NULL"),
            postgresql_where=sa.text("board IS NOT NULL"),
        ),
        # What a freeze has left over. With every condition a column: SQLite would read the whole board else.
        sa.Index(
            "ix_attempt_unfrozen",
            "daily_id",
            "board",
            "percentile",
            sqlite_where=sa.text("board = 'day' AND percentile IS NULL"),
            postgresql_where=sa.text("board = 'day' AND percentile IS NULL"),
        ),
        sa.Index(
            "ix_attempt_standing",
            "standing",
            "finished_at",
            sqlite_where=sa.text("standing IS NOT NULL"),
            postgresql_where=sa.text("standing IS NOT NULL"),
        ),
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

    # Of a daily: which one, and whether it was started to be ranked (at most once a player and puzzle).
    daily_id: Mapped[int | None] = mapped_column(sa.ForeignKey("daily.id"))
    ranked: Mapped[bool] = mapped_column(default=False, server_default=sa.false())
    # A clock that nobody sets, at the start: shows when the machine's time was changed during a solve.
    steady_start: Mapped[str | None] = mapped_column(sa.String(60))
    # What became of a ranked solve, the rules that doubt it (a JSON list of keys), a curator's word on it.
    standing: Mapped[str | None] = mapped_column(sa.String(8))
    doubts: Mapped[str | None] = mapped_column(sa.Text)
    verdict: Mapped[str | None] = mapped_column(sa.Text)
    # The board it stands on and with which time; the share of slower solves, fixed when the board freezes.
    board: Mapped[str | None] = mapped_column(sa.String(8))
    board_ms: Mapped[int | None] = mapped_column(sa.BigInteger)
    percentile: Mapped[float | None] = mapped_column(sa.Float)  # 0..100

    player: Mapped[Player] = relationship()
    puzzle: Mapped[Puzzle] = relationship()
    daily: Mapped[Daily | None] = relationship()


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


class Peek(Base):
    __tablename__ = "peek"
    __table_args__ = ({"sqlite_with_rowid": False},)

    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True)
    puzzle_id: Mapped[int] = mapped_column(
        sa.ForeignKey("puzzle.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
