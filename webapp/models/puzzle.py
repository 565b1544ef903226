"""Puzzle: 81 givens with one solution, which is not stored: the engine finds it in microseconds."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.models.types import UtcDateTime
from webapp.process.database import Base


class Status(StrEnum):
    """Who may meet a puzzle."""

    CANDIDATE = "candidate"  # waits for a curator
    REJECTED = "rejected"  # `reason` says why
    APPROVED = "approved"  # players are offered it
    DAILY = "daily"  # only through its daily, from the release on
    ENTERED = "entered"  # a player's own: reached only through its attempts


class Puzzle(Base):
    __tablename__ = "puzzle"
    __table_args__ = (
        sa.CheckConstraint("level BETWEEN 1 AND 5", name="level"),
        sa.CheckConstraint("length(givens) = 81", name="givens"),
        sa.Index("ix_puzzle_status_level_first_started_at", "status", "level", "first_started_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    givens: Mapped[str] = mapped_column(sa.String(81), unique=True)  # '.' for an empty cell
    # The least equivalent form: the same for every image of a puzzle. None until the worker has come by.
    canonical: Mapped[str | None] = mapped_column(sa.String(81), index=True)
    level: Mapped[int] = mapped_column(sa.SmallInteger)  # 1..5, as rating_version sees it
    rating_version: Mapped[str] = mapped_column(
        sa.String(40)
    )  # what gave the level, for a later job to renew
    # ER on the Sudoku Explainer's scale, key of the hardest technique, seconds an average player is expected
    # to take: None while unrated.
    explainer: Mapped[float | None] = mapped_column(sa.Float)
    hardest: Mapped[str | None] = mapped_column(sa.String(40))
    expected_seconds: Mapped[float | None] = mapped_column(sa.Float)
    status: Mapped[str] = mapped_column(sa.String(10))
    method: Mapped[str | None] = mapped_column(
        sa.String(20)
    )  # the generation method; None for an entered puzzle
    seed: Mapped[str | None] = mapped_column(sa.String(40))
    engine_version: Mapped[str] = mapped_column(sa.String(20))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # When the first attempt at it began; a puzzle without is fresh stock.
    first_started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # When its givens first stood on a page or on paper: a daily is a puzzle that nobody has met.
    shown_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # How it came to be, where somebody ordered or imported it; JSON of the recipe's fields.
    recipe: Mapped[str | None] = mapped_column(sa.Text)
    order_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("puzzle_order.id", ondelete="SET NULL"), index=True
    )
    # Counted up by every change a curator makes, so that two of them never overwrite each other.
    version: Mapped[int] = mapped_column(default=0, server_default="0")
    reason: Mapped[str | None] = mapped_column(sa.String(200))  # of a rejection
    # What the rating says besides, for the desk: JSON of counts, scores and openings; None while unrated.
    breakdown: Mapped[str | None] = mapped_column(sa.Text)
    # A level a curator chose against the rating; the bank's level then follows it.
    relabelled: Mapped[bool] = mapped_column(default=False, server_default=sa.false())
