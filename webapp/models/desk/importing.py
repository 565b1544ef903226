"""A file of puzzles that a curator imports: the unread parts of the file, and the result for each line."""

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
    NOT_UNIQUE = "not_unique"  # `detail`: the number of solutions found
    INVALID = "invalid"  # `detail` names the cell and the character


class ImportState(StrEnum):
    """The progress of an import."""

    WAITING = "waiting"  # until the curator chooses the columns
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"  # keeps what was stored before
    FAILED = "failed"  # `message` has the reason


class Import(Base):
    """An import of a file. Its counts change together with its lines, so that they agree whenever a worker
    is killed.
    """

    __tablename__ = "import"
    __table_args__ = (sa.Index("ix_import_state", "state", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    curator_id: Mapped[int | None] = mapped_column(sa.ForeignKey("player.id", ondelete="SET NULL"))
    name: Mapped[str] = mapped_column(sa.String(100))  # file name, or the curator's name for it
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    state: Mapped[str] = mapped_column(sa.String(10), default=ImportState.DONE, server_default="done")
    size: Mapped[int] = mapped_column(default=0, server_default="0")  # size of the file in bytes
    read: Mapped[int] = mapped_column(default=0, server_default="0")  # bytes read so far
    # JSON of the table's columns; None for any other format
    columns: Mapped[str | None] = mapped_column(sa.Text)
    # The results stored so far: `taken` is the sum of the four.
    taken: Mapped[int] = mapped_column(default=0, server_default="0")
    new: Mapped[int] = mapped_column(default=0, server_default="0")
    duplicate: Mapped[int] = mapped_column(default=0, server_default="0")
    not_unique: Mapped[int] = mapped_column(default=0, server_default="0")
    invalid: Mapped[int] = mapped_column(default=0, server_default="0")
    # The file's lines: those with a result, and those left unread when the import ended. None until its end,
    # and for a document that isn't read by lines.
    lines: Mapped[int | None] = mapped_column()
    held: Mapped[int] = mapped_column(default=0, server_default="0")
    beyond: Mapped[int] = mapped_column(default=0, server_default="0")
    message: Mapped[str | None] = mapped_column(sa.Text)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class ImportPiece(Base):
    """An unread piece of a file; deleted once the import has ended."""

    __tablename__ = "import_piece"

    import_id: Mapped[int] = mapped_column(sa.ForeignKey("import.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # from 0
    data: Mapped[bytes] = mapped_column(sa.LargeBinary)


class ImportLine(Base):
    __tablename__ = "import_line"
    __table_args__ = (
        sa.Index("ix_import_line_state", "import_id", "state", "line"),
        {"sqlite_with_rowid": False},
    )

    import_id: Mapped[int] = mapped_column(sa.ForeignKey("import.id", ondelete="CASCADE"), primary_key=True)
    # From 1, as in the file; further numbers if a line holds several puzzles.
    line: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    file_line: Mapped[int | None] = mapped_column()  # the line in the file, if different
    state: Mapped[str] = mapped_column(sa.String(10))
    detail: Mapped[str] = mapped_column(sa.Text)  # shown in the report
    puzzle_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("puzzle.id", ondelete="SET NULL"), index=True
    )  # the new puzzle, or the one it duplicates
