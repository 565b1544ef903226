"""Leagues: seasons of a week or a month in which some thirty players of similar rating compete."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class Period(StrEnum):
    """How long a season is."""

    WEEK = "week"  # Monday to Sunday
    MONTH = "month"


class LeaguePlayer(Base):
    """A player who takes part in the seasons of a period, and where they belong."""

    __tablename__ = "league_player"
    __table_args__ = ({"sqlite_with_rowid": False},)

    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True)
    period: Mapped[str] = mapped_column(sa.String(5), primary_key=True)
    tier: Mapped[int] = mapped_column(sa.SmallInteger)  # 1 is the highest; leagues are made of neighbors
    joined_at: Mapped[datetime] = mapped_column(UtcDateTime)


class League(Base):
    """One league of a season; standings are derived from solves until it is settled, then stored."""

    __tablename__ = "league"
    __table_args__ = (sa.UniqueConstraint("period", "starts_on", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    period: Mapped[str] = mapped_column(sa.String(5))
    starts_on: Mapped[date] = mapped_column(sa.Date)
    number: Mapped[int] = mapped_column(sa.SmallInteger)  # 1 is the highest of its season
    settled_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Seat(Base):
    """A player in a league. What they came to is None until the league is settled."""

    __tablename__ = "league_seat"
    __table_args__ = ({"sqlite_with_rowid": False},)

    league_id: Mapped[int] = mapped_column(sa.ForeignKey("league.id", ondelete="CASCADE"), primary_key=True)
    player_id: Mapped[int] = mapped_column(
        sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    points: Mapped[float | None] = mapped_column(sa.Float)
    solves: Mapped[int | None] = mapped_column()
    rank: Mapped[int | None] = mapped_column(sa.SmallInteger)
    moved: Mapped[int | None] = mapped_column(sa.SmallInteger)  # -1 up, 1 down, 0 neither
