"""Leaderboard tables: solves by second, points over several days, players by points."""

from __future__ import annotations

from datetime import date
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.database import Base


class Leaderboard(StrEnum):
    """The leaderboards of a daily."""

    DAY = "day"  # ranked, verified, on time, by a player with an account
    TRIAL = "trial"  # the same, but by a new player, too fast or under review: shown without points
    ARCHIVE = "archive"  # without help, by a player with an account, but too late to be ranked


class Scope(StrEnum):
    """The period over which points are summed."""

    WEEK = "week"  # sum over the dailies of a week, Monday to Sunday
    ALL = "all"  # mean over a player's last 100, from 20 on


class TimeCount(Base):
    """Solves on a leaderboard by whole second, so that a rank is a sum over few rows.

    Always equals a count over `attempt`; both change in one transaction.
    """

    __tablename__ = "time_count"
    __table_args__ = (
        sa.CheckConstraint("solves >= 0", name="solves"),
        {"sqlite_with_rowid": False},
    )

    daily_id: Mapped[int] = mapped_column(sa.ForeignKey("daily.id", ondelete="CASCADE"), primary_key=True)
    board: Mapped[str] = mapped_column(sa.String(8), primary_key=True)
    second: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    solves: Mapped[int] = mapped_column(default=0)


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
    points: Mapped[float] = mapped_column(sa.Float)
    solves: Mapped[int] = mapped_column()
    # Whether they include solves of leaderboards that aren't frozen yet.
    provisional: Mapped[bool] = mapped_column(default=False, server_default=sa.false())


class PointCount(Base):
    """Players by tenth of a point, so that a rank is a sum over few rows, as with `TimeCount`.

    Always equals a count over `score`; both change in one transaction.
    """

    __tablename__ = "point_count"
    __table_args__ = (
        sa.CheckConstraint("players >= 0", name="players"),
        {"sqlite_with_rowid": False},
    )

    scope: Mapped[str] = mapped_column(sa.String(4), primary_key=True)
    starts_on: Mapped[date] = mapped_column(sa.Date, primary_key=True)
    level: Mapped[int] = mapped_column(sa.SmallInteger, primary_key=True, autoincrement=False)
    tenth: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # points x 10, rounded down
    players: Mapped[int] = mapped_column(default=0)
