"""What curators plan: expected minutes by weekday, themes of several days, notes on days, and drafts."""

from __future__ import annotations

from datetime import date, datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.models.puzzle import Puzzle
from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class WeekdayTarget(Base):
    """How long a level's daily of a weekday should take; no row: as it comes."""

    __tablename__ = "weekday_target"
    __table_args__ = (
        sa.CheckConstraint("weekday BETWEEN 0 AND 6", name="weekday"),
        sa.CheckConstraint("level BETWEEN 1 AND 5", name="level"),
        sa.CheckConstraint("minutes > 0", name="minutes"),
    )

    weekday: Mapped[int] = mapped_column(sa.SmallInteger, primary_key=True, autoincrement=False)  # 0: Monday
    level: Mapped[int] = mapped_column(sa.SmallInteger, primary_key=True, autoincrement=False)
    minutes: Mapped[float] = mapped_column(sa.Float)


class Theme(Base):
    """Days whose dailies have this hardest technique, at the level of the technique."""

    __tablename__ = "theme"
    __table_args__ = (sa.CheckConstraint("last_day >= first_day", name="days"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    first_day: Mapped[date] = mapped_column(sa.Date, index=True)
    last_day: Mapped[date] = mapped_column(sa.Date)
    technique: Mapped[str] = mapped_column(sa.String(40))
    title: Mapped[str] = mapped_column(sa.String(100))


class DayNote(Base):
    """What curators should know of a day, such as a holiday."""

    __tablename__ = "day_note"

    day: Mapped[date] = mapped_column(sa.Date, primary_key=True)
    text: Mapped[str] = mapped_column(sa.String(200))


class DailyDraft(Base):
    """A puzzle meant for a day and level; it becomes the daily when the drafts are released together.

    Until then no player draws it: it is not `offered`.
    """

    __tablename__ = "daily_draft"
    __table_args__ = (sa.CheckConstraint("level BETWEEN 1 AND 5", name="level"),)

    date: Mapped[date] = mapped_column(sa.Date, primary_key=True)
    level: Mapped[int] = mapped_column(sa.SmallInteger, primary_key=True, autoincrement=False)
    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id", ondelete="CASCADE"), unique=True)
    curator_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("player.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)

    puzzle: Mapped[Puzzle] = relationship()
