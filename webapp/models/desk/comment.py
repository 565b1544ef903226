"""PuzzleComment: a curator's comment about a puzzle, for other curators."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class PuzzleComment(Base):
    """The name stays when the account is deleted, as in the audit log."""

    __tablename__ = "puzzle_comment"

    id: Mapped[int] = mapped_column(primary_key=True)
    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id", ondelete="CASCADE"), index=True)
    curator_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("player.id", ondelete="SET NULL"), index=True
    )
    curator_name: Mapped[str] = mapped_column(sa.String(20))
    text: Mapped[str] = mapped_column(sa.String(1000))
    at: Mapped[datetime] = mapped_column(UtcDateTime)
