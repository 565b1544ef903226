"""Exercise: a position to find a technique in, or a near miss that only resembles it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class ExerciseKind(StrEnum):
    """The use of a position. Each technique has one of each lesson kind, and a stock of the others."""

    WORKED = "worked"  # in the lesson: played through step by step
    EXERCISE = "exercise"  # in the lesson: the reader marks the conclusion
    NEAR_MISS = "near_miss"  # in the lesson: looks like the technique, but isn't
    DRILL = "drill"
    DRILL_NEAR_MISS = "drill_near_miss"


class Exercise(Base):
    """Generated from a seed and verified by one version of the engine; the worker re-verifies it with the
    next.
    """

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
    digits: Mapped[str] = mapped_column(sa.String(81))  # givens and placed digits
    # Candidates as digit, row and column, such as "347 829": the removed ones among those the digits allow.
    # In a near miss, also those whose removal would make the technique apply.
    struck: Mapped[str] = mapped_column(sa.Text, default="", server_default="")
    spoilers: Mapped[str] = mapped_column(sa.Text, default="", server_default="")
    least: Mapped[bool] = mapped_column(default=False)  # whether no other technique comes before it there
    # All steps of the technique, as this engine version finds them; None until the worker has computed them.
    steps: Mapped[str | None] = mapped_column(sa.Text)
    seed: Mapped[str] = mapped_column(sa.String(40))
    engine_version: Mapped[str] = mapped_column(sa.String(20))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
