"""Exercise: a position to find a technique in, or one that only looks as if it held it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class ExerciseKind(StrEnum):
    """What a position is for. A technique has one of each kind of a lesson, and a stock of the others."""

    WORKED = "worked"  # of the lesson: played through step by step
    EXERCISE = "exercise"  # of the lesson: the reader marks what follows
    NEAR_MISS = "near_miss"  # of the lesson: the technique seems to be there, and is not
    DRILL = "drill"
    DRILL_NEAR_MISS = "drill_near_miss"


class Exercise(Base):
    """Made from a seed and checked by one version of the engine; the worker checks it under the next one."""

    __tablename__ = "exercise"
    __table_args__ = (
        sa.CheckConstraint("length(givens) = 81", name="givens"),
        sa.CheckConstraint("length(digits) = 81", name="digits"),
        sa.UniqueConstraint("technique", "kind", "givens"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    technique: Mapped[str] = mapped_column(sa.String(40))
    kind: Mapped[str] = mapped_column(sa.String(16))  # an ExerciseKind
    givens: Mapped[str] = mapped_column(sa.String(81))  # '.' for an empty cell
    digits: Mapped[str] = mapped_column(sa.String(81))  # givens and what is placed
    # Candidates as digit, row and column, such as "347 829": those that the digits leave and that are gone,
    # and of a near miss those without which the technique would be there.
    struck: Mapped[str] = mapped_column(sa.Text, default="", server_default="")
    spoilers: Mapped[str] = mapped_column(sa.Text, default="", server_default="")
    least: Mapped[bool] = mapped_column(default=False)  # no other technique goes before it there
    # All steps of the technique, as this engine version finds them; None until the worker has looked.
    steps: Mapped[str | None] = mapped_column(sa.Text)
    seed: Mapped[str] = mapped_column(sa.String(40))
    engine_version: Mapped[str] = mapped_column(sa.String(20))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
