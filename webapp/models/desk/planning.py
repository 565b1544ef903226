"""Curators' plans: expected minutes by weekday, themes of several days, notes on days, and drafts."""

from __future__ import annotations

from datetime import date, datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.models.puzzle import Puzzle
from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class WeekdayTarget(Base):
    """Target time of a level's daily on a weekday; no row: no target."""

    __tablename__ = "weekday_target"
    __table_args__ = (
        sa.CheckConstraint("weekday BETWEEN 0 AND 6", name="weekday"),
        sa.CheckConstraint("level BETWEEN 1 AND 5", name="level"),
        sa.CheckConstraint("minutes > 0", name="minutes"),
    )

    weekday: Mapped[int] = mapped_column(sa.SmallInteger, primary_key=True, autoincrement=False)  # 0: Monday
    level: Mapped[int] = mapped_column(sa.SmallInteger, primary_key=True, autoincrement=False)
    minutes: Mapped[float] = mapped_column(sa.Float)


class WeekdayLook(Base):
    """The look of a level's daily on a weekday; None where anything will do."""

    __tablename__ = "weekday_look"
    __table_args__ = (
        sa.CheckConstraint("weekday BETWEEN 0 AND 6", name="weekday"),
        sa.CheckConstraint("level BETWEEN 1 AND 5", name="level"),
    )

    weekday: Mapped[int] = mapped_column(sa.SmallInteger, primary_key=True, autoincrement=False)  # 0: Monday
    level: Mapped[int] = mapped_column(sa.SmallInteger, primary_key=True, autoincrement=False)
    er_from: Mapped[float | None] = mapped_column(sa.Float)
    er_to: Mapped[float | None] = mapped_column(sa.Float)
    hardest: Mapped[str | None] = mapped_column(sa.String(40))
    givens_from: Mapped[int | None] = mapped_column(sa.SmallInteger)
    givens_to: Mapped[int | None] = mapped_column(sa.SmallInteger)
    symmetry: Mapped[str | None] = mapped_column(sa.String(20))


class DeskSetting(Base):
    """A setting of the site that curators change at the desk."""

    __tablename__ = "desk_setting"

    name: Mapped[str] = mapped_column(sa.String(40), primary_key=True)
    value: Mapped[str] = mapped_column(sa.Text)


class Theme(Base):
    """Days whose dailies have this hardest technique, at the technique's level."""

    __tablename__ = "theme"
    __table_args__ = (sa.CheckConstraint("last_day >= first_day", name="days"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    first_day: Mapped[date] = mapped_column(sa.Date, index=True)
    last_day: Mapped[date] = mapped_column(sa.Date)
    technique: Mapped[str] = mapped_column(sa.String(40))
    title: Mapped[str] = mapped_column(sa.String(100))


class DayNote(Base):
    """A note for curators on a day, such as a holiday."""

    __tablename__ = "day_note"

    day: Mapped[date] = mapped_column(sa.Date, primary_key=True)
    text: Mapped[str] = mapped_column(sa.String(200))


class DailyDraft(Base):
    """A puzzle planned for a day and level; it becomes the daily when the drafts are released together.

    Until then it isn't `offered` to players.
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
