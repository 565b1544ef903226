"""How the desk finds puzzles: their traits, and curators' saved searches."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.database import Base


class PuzzleTrait(Base):
    """One property of a puzzle: webapp/bank/traits.py."""

    __tablename__ = "puzzle_trait"
    __table_args__ = ({"sqlite_with_rowid": False},)

    trait: Mapped[str] = mapped_column(sa.String(130), primary_key=True)
    puzzle_id: Mapped[int] = mapped_column(
        sa.ForeignKey("puzzle.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class SavedSearch(Base):
    """A query string of the queue, saved by a curator under a name."""

    __tablename__ = "saved_search"
    __table_args__ = (sa.UniqueConstraint("curator_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    curator_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(sa.String(60))
    query: Mapped[str] = mapped_column(sa.Text)
