"""RushRun: three minutes of finding next steps, one position after another."""

from __future__ import annotations

import secrets
from datetime import date, datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class RushRun(Base):
    """Holds the open question and the results so far."""

    __tablename__ = "rush_run"
    __table_args__ = (sa.Index("ix_rush_run_day_right", "day", "right"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(sa.String(22), unique=True, default=lambda: secrets.token_urlsafe(16))
    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), index=True)
    day: Mapped[date] = mapped_column(sa.Date)  # of the start, in UTC
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # When the time is up, or when the last allowed miss ended it.
    ends_at: Mapped[datetime] = mapped_column(UtcDateTime)
    right: Mapped[int] = mapped_column(default=0, server_default="0", index=True)
    wrong: Mapped[int] = mapped_column(default=0, server_default="0")
    took_ms: Mapped[int] = mapped_column(default=0, server_default="0")  # up to the last correct answer
    # A curator's verdict: whether it is off the leaderboard, and the latest reason.
    removed: Mapped[bool] = mapped_column(default=False, server_default=sa.false())
    verdict: Mapped[str | None] = mapped_column(sa.Text)
    # The questions answered wrong: [[digits, cell, answer], ...] as JSON.
    misses: Mapped[str] = mapped_column(sa.Text, default="[]", server_default="[]")
    # The open question: its number, the board's digits, and the digits that follow by cell.
    number: Mapped[int] = mapped_column(default=1, server_default="1")
    digits: Mapped[str] = mapped_column(sa.String(81))
    cell: Mapped[int] = mapped_column(sa.SmallInteger)
    digit: Mapped[int] = mapped_column(sa.SmallInteger)
