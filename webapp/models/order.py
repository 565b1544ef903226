"""Order: puzzles a curator, or a stock that runs low, has asked for; a durable workflow makes them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.models.types import UtcDateTime
from webapp.process.database import Base


class OrderState(StrEnum):
    """Where an order stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"  # all made, or the budget is spent
    CANCELLED = "cancelled"
    FAILED = "failed"  # `message` says why; what was made by then stays


class Order(Base):
    """`made` only ever grows; the puzzles themselves point here."""

    __tablename__ = "puzzle_order"  # ORDER is a word of SQL
    __table_args__ = (
        sa.CheckConstraint("count BETWEEN 1 AND 5000", name="count"),
        sa.Index("ix_puzzle_order_state", "state", "id"),
        sa.Index("ix_puzzle_order_curator_id", "curator_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    curator_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("player.id", ondelete="SET NULL")
    )  # None: the stock ran low
    recipe: Mapped[str] = mapped_column(
        sa.Text
    )  # JSON of the fields of engine.Recipe that are not their default
    seed: Mapped[str] = mapped_column(sa.String(40))  # of the first puzzle; each next one's is one more
    count: Mapped[int] = mapped_column()
    budget_seconds: Mapped[int] = mapped_column()  # of work, over all puzzles
    state: Mapped[str] = mapped_column(sa.String(10), default=OrderState.QUEUED)
    made: Mapped[int] = mapped_column(default=0)  # new puzzles stored
    tried: Mapped[int] = mapped_column(default=0)  # seeds worked through, known puzzles and misses among them
    message: Mapped[str | None] = mapped_column(sa.Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
