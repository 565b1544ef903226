"""Order: puzzles requested by a curator or by low stock; a durable workflow generates them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class OrderState(StrEnum):
    """The state of an order."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"  # all generated, or the budget is spent
    CANCELLED = "cancelled"
    FAILED = "failed"  # `message` has the reason; puzzles stored before are kept


class Order(Base):
    """An order of puzzles. `made` only grows; the puzzles refer to their order."""

    __tablename__ = "puzzle_order"  # ORDER is a reserved word in SQL
    __table_args__ = (
        sa.CheckConstraint("count BETWEEN 1 AND 5000", name="count"),
        sa.Index("ix_puzzle_order_state", "state", "id"),
        sa.Index("ix_puzzle_order_curator_id", "curator_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    curator_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("player.id", ondelete="SET NULL")
    )  # None: ordered automatically because the stock was low
    recipe: Mapped[str] = mapped_column(
        sa.Text
    )  # JSON of the engine.Recipe fields that differ from their default
    seed: Mapped[str] = mapped_column(sa.String(40))  # of the first puzzle; each further one adds 1
    count: Mapped[int] = mapped_column()
    budget_seconds: Mapped[int] = mapped_column()  # work time, over all puzzles
    state: Mapped[str] = mapped_column(sa.String(10), default=OrderState.QUEUED)
    made: Mapped[int] = mapped_column(default=0)  # new puzzles stored
    tried: Mapped[int] = mapped_column(default=0)  # seeds tried, including known puzzles and misses
    judged: Mapped[int] = mapped_column(default=0, server_default="0")  # puzzles rated along the way
    # JSON: the recipe's field, and the nearest value reached
    nearest: Mapped[str | None] = mapped_column(sa.Text)
    message: Mapped[str | None] = mapped_column(sa.Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
