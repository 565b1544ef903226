"""Import and ImportLine: a file of puzzles that a curator imported, and the result for each line."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class LineState(StrEnum):
    """The result for a line."""

    NEW = "new"
    DUPLICATE = "duplicate"  # of a puzzle in the bank, or of an earlier line
    NOT_UNIQUE = "not_unique"  # `detail`: how many solutions were found
    INVALID = "invalid"  # `detail` names the cell and the character


class Import(Base):
    """All its lines are stored in one transaction, or none."""

    __tablename__ = "import"

    id: Mapped[int] = mapped_column(primary_key=True)
    curator_id: Mapped[int | None] = mapped_column(sa.ForeignKey("player.id", ondelete="SET NULL"))
    name: Mapped[str] = mapped_column(sa.String(100))  # of the file, or as given by the curator
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ImportLine(Base):
    __tablename__ = "import_line"
    __table_args__ = ({"sqlite_with_rowid": False},)

    import_id: Mapped[int] = mapped_column(sa.ForeignKey("import.id", ondelete="CASCADE"), primary_key=True)
    line: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # from 1, as in the file
    state: Mapped[str] = mapped_column(sa.String(10))
    detail: Mapped[str] = mapped_column(sa.Text)  # for the person who reads the report
    puzzle_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("puzzle.id", ondelete="SET NULL"), index=True
    )  # the new puzzle, or the one it duplicates
