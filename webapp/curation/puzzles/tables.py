"""The tables of imports and orders."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, deferred, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class LineState(StrEnum):
    """The result for a line of an import."""

    NEW = "new"
    DUPLICATE = "duplicate"  # of a puzzle in the bank, or of an earlier line
    NOT_UNIQUE = "not_unique"  # the report has the number of solutions found
    INVALID = "invalid"  # the report names the cell and the character


class JobState(StrEnum):
    """The progress of an import or an order."""

    WAITING = "waiting"  # an import, until the curator chooses the columns
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"  # keeps what was stored before
    FAILED = "failed"  # `message` has the reason


class Import(Base):
    """A file of puzzles that a curator imports, and at its end the result for each line."""

    __tablename__ = "import"
    __table_args__ = (sa.Index("ix_import_state", "state", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    curator_id: Mapped[int | None] = mapped_column(sa.ForeignKey("player.id", ondelete="SET NULL"))
    name: Mapped[str] = mapped_column(sa.String(100))  # file name, or the curator's name for it
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    state: Mapped[str] = mapped_column(sa.String(10), default=JobState.DONE, server_default="done")
    data: Mapped[bytes | None] = deferred(mapped_column(sa.LargeBinary))  # the file, until it has ended
    # JSON of the table's columns; None for any other format
    columns: Mapped[str | None] = mapped_column(sa.Text)
    # The results so far: `taken` is the sum of the four.
    taken: Mapped[int] = mapped_column(default=0, server_default="0")
    new: Mapped[int] = mapped_column(default=0, server_default="0")
    duplicate: Mapped[int] = mapped_column(default=0, server_default="0")
    not_unique: Mapped[int] = mapped_column(default=0, server_default="0")
    invalid: Mapped[int] = mapped_column(default=0, server_default="0")
    report: Mapped[str | None] = deferred(mapped_column(sa.Text))  # JSON: line, state, puzzle, detail of each
    message: Mapped[str | None] = mapped_column(sa.Text)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Order(Base):
    """Puzzles requested by a curator. `made` only grows; the puzzles refer to their order."""

    __tablename__ = "puzzle_order"  # ORDER is a reserved word in SQL
    __table_args__ = (
        sa.CheckConstraint("count BETWEEN 1 AND 5000", name="count"),
        sa.Index("ix_puzzle_order_state", "state", "id"),
        sa.Index("ix_puzzle_order_curator_id", "curator_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    curator_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("player.id", ondelete="SET NULL")
    )  # None: by an operator
    recipe: Mapped[str] = mapped_column(
        sa.Text
    )  # JSON of the engine.Recipe fields that differ from their default
    seed: Mapped[str] = mapped_column(sa.String(40))  # of the first puzzle; each further one adds 1
    count: Mapped[int] = mapped_column()
    budget_seconds: Mapped[int] = mapped_column()  # work time left, over all puzzles
    state: Mapped[str] = mapped_column(sa.String(10), default=JobState.QUEUED)
    made: Mapped[int] = mapped_column(default=0)  # new puzzles stored
    tried: Mapped[int] = mapped_column(default=0)  # seeds tried, including known puzzles and misses
    message: Mapped[str | None] = mapped_column(sa.Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
