"""Daily: the puzzle that everyone gets for one day and level; its leaderboards, and points over days."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.models.puzzle import Puzzle
from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base

FIRST_DAY = date(2026, 1, 1)  # number 1; numbers follow the calendar, so a gap in the schedule shifts none
LEVELS = (2, 3, 4)  # of each day
ARCHIVE_FROM = date(2025, 1, 1)  # first playable day; days without a schedule are back-filled
WINDOW = timedelta(hours=48)  # after the release; solves within it are on time


class Daily(Base):
    """Released at 00:00 UTC of its date; `closed_at` is set once points are given for it.

    A daily for a missed day, or for one before the site existed, is created at its first request. It wasn't
    released on its date, so it is created closed and never open.
    """

    __tablename__ = "daily"
    __table_args__ = (
        sa.CheckConstraint("level BETWEEN 1 AND 5", name="level"),
        sa.UniqueConstraint("date", "level"),
        sa.Index("ix_daily_closed_at_date", "closed_at", "date"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    date: Mapped[date] = mapped_column(sa.Date)
    level: Mapped[int] = mapped_column(sa.SmallInteger)  # 1..5, as offered; the rating may change
    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id"), unique=True)
    by_hand: Mapped[bool] = mapped_column(default=False)  # chosen by a curator; never replaced automatically
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # When a curator withdrew its puzzle after the release, and that puzzle: `puzzle_id` if it has no
    # replacement. After an undo: None, and the replacement. Not a foreign key, since SQLite would rebuild the
    # table for it, and no puzzle that was out is ever deleted.
    withdrawn_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    former_id: Mapped[int | None] = mapped_column()
    # Whether the worker has yet to place and rate its solves again after a withdrawal or an undo.
    unsettled: Mapped[bool] = mapped_column(default=False, server_default=sa.false())

    puzzle: Mapped[Puzzle] = relationship()
    former: Mapped[Puzzle | None] = relationship(
        primaryjoin=lambda: sa.orm.foreign(Daily.former_id) == Puzzle.id, viewonly=True
    )

    @property
    def number(self) -> int:
        """The day's number, the same for all levels."""
        return number_of(self.date)

    @property
    def name(self) -> str:
        """`#60`; the date for days before FIRST_DAY, which have no number."""
        return f"#{self.number}" if self.number > 0 else self.date.isoformat()

    @property
    def backfilled(self) -> bool:
        """Whether it was created after its date, so that nobody could be ranked on it."""
        return self.closed_at is not None and self.closed_at == self.created_at

    @property
    def withdrawn(self) -> bool:
        """Whether its puzzle is withdrawn and nothing replaces it."""
        return self.withdrawn_at is not None and self.former_id == self.puzzle_id

    @property
    def withdrawal(self) -> str | None:
        """The reason for which its puzzle or the one before was withdrawn; None if none was."""
        return None if self.withdrawn_at is None or self.former is None else self.former.reason

    @property
    def opens_at(self) -> datetime:
        """The time of release."""
        return opening(self.date)

    @property
    def closes_at(self) -> datetime:
        """The end of the window, exclusive: later solves are practice."""
        return self.opens_at + WINDOW

    def state(self, now: datetime) -> str:
        """Return `scheduled`, `out`, `closed` or `withdrawn`."""
        if self.withdrawn:
            return "withdrawn"
        if now < self.opens_at:
            return "scheduled"
        return "out" if now < self.closes_at else "closed"


# A query's condition: not back-filled.
SCHEDULED = Daily.closed_at.is_distinct_from(Daily.created_at)


def today(now: datetime) -> date:
    """Return today's date, the same for everyone."""
    return now.astimezone(UTC).date()


def opening(day: date) -> datetime:
    """Return the release time of a day's puzzles."""
    return datetime.combine(day, time(), UTC)


def number_of(day: date) -> int:
    """The number of a day: 1 on FIRST_DAY."""
    return (day - FIRST_DAY).days + 1


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
