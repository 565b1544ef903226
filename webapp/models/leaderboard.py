"""Leaderboards: the lists of a daily, and points over several days."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.database import Base


class Leaderboard(StrEnum):
    """The leaderboards of a daily."""

    DAY = "day"  # ranked: verified, on time, by a player with an account
    UNRANKED = "unranked"  # on time too, but under review or typed as if from paper: listed without a rank
    ARCHIVE = "archive"  # without help, by a player with an account, but too late to be ranked


class Scope(StrEnum):
    """The period over which points are summed."""

    WEEK = "week"  # sum over the dailies of a week, Monday to Sunday
    ALL = "all"  # mean over a player's last 100, from 20 on


class Score(Base):
    """A player's points for a week or for all time, by level; level 0 combines all levels."""

    __tablename__ = "score"
    __table_args__ = (
        sa.Index("ix_score_table", "scope", "starts_on", "level", "points", "player_id"),
        {"sqlite_with_rowid": False},
    )

    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True)
    scope: Mapped[str] = mapped_column(sa.String(4), primary_key=True)
    starts_on: Mapped[date] = mapped_column(sa.Date, primary_key=True)  # the Monday; FIRST_DAY for all time
    level: Mapped[int] = mapped_column(sa.SmallInteger, primary_key=True, autoincrement=False)
    points: Mapped[int] = mapped_column()
    solves: Mapped[int] = mapped_column()
