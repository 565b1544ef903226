"""Collections, and the puzzles that players submit for everyone to play."""

from __future__ import annotations

from datetime import date, datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column, relationship

from webapp.models.player import Player
from webapp.models.puzzle import Puzzle
from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class Collection(Base):
    """An ordered set of puzzles, published on a date, for everyone or for one group."""

    __tablename__ = "collection"

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(sa.String(80))
    text: Mapped[str] = mapped_column(sa.String(1000), default="", server_default="")
    author: Mapped[str] = mapped_column(sa.String(60), default="", server_default="")
    # The puzzle on its cover; None for the first.
    cover_id: Mapped[int | None] = mapped_column(sa.ForeignKey("puzzle.id", ondelete="SET NULL"), index=True)
    # The first day on which it is visible; None for a draft.
    publish_on: Mapped[date | None] = mapped_column(sa.Date, index=True)
    # The group whose members alone see it; None for everyone.
    group_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("player_group.id", ondelete="CASCADE"), index=True
    )
    withdrawn: Mapped[str | None] = mapped_column(sa.String(200))  # the reason, if it is withdrawn
    version: Mapped[int] = mapped_column(default=0, server_default="0")  # incremented by every change
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class CollectionPuzzle(Base):
    """A puzzle is in at most one collection, and isn't offered elsewhere (`offered`)."""

    __tablename__ = "collection_puzzle"
    __table_args__ = (sa.Index("ix_collection_puzzle_collection_id_place", "collection_id", "place"),)

    puzzle_id: Mapped[int] = mapped_column(
        sa.ForeignKey("puzzle.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    collection_id: Mapped[int] = mapped_column(sa.ForeignKey("collection.id", ondelete="CASCADE"))
    place: Mapped[int] = mapped_column()  # from 1; gaps are possible


class Submission(Base):
    """A puzzle that a player submits. It holds the title and the curators' decision."""

    __tablename__ = "submission"

    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), index=True)
    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id", ondelete="CASCADE"), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # When the player was mailed the decision
    told_at: Mapped[datetime | None] = mapped_column(UtcDateTime, index=True)

    player: Mapped[Player] = relationship()
    puzzle: Mapped[Puzzle] = relationship()
