"""The tables of races."""

from __future__ import annotations

import secrets
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class Race(Base):
    """Anyone with the key can join until it starts, and watch."""

    __tablename__ = "race"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(sa.String(22), unique=True, default=lambda: secrets.token_urlsafe(16))
    level: Mapped[int] = mapped_column(sa.SmallInteger)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    starts_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # None until a racer starts it
    puzzle_id: Mapped[int | None] = mapped_column(sa.ForeignKey("puzzle.id"), index=True)  # set at the start
    # The previous race. The later race refers to the earlier one, so that rows can be copied in order.
    rematch_of: Mapped[int | None] = mapped_column(sa.ForeignKey("race.id", ondelete="SET NULL"), unique=True)


class Racer(Base):
    __tablename__ = "racer"
    __table_args__ = ({"sqlite_with_rowid": False},)

    race_id: Mapped[int] = mapped_column(sa.ForeignKey("race.id", ondelete="CASCADE"), primary_key=True)
    player_id: Mapped[int] = mapped_column(
        sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    name: Mapped[str] = mapped_column(sa.String(20))  # as shown in this race
    guest: Mapped[bool] = mapped_column()
    joined_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # The racer's game, once they have started it.
    attempt_id: Mapped[str | None] = mapped_column(
        sa.ForeignKey("attempt.id", ondelete="SET NULL"), unique=True
    )
    # Most of the puzzle filled in correctly at any time; webapp/competition/races/standings.py.
    tenths: Mapped[int] = mapped_column(sa.SmallInteger, default=0, server_default="0")
