"""Facts about the operation: heartbeats, the last backup, mail, rate limits, failures, the audit log."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class Heartbeat(Base):
    __tablename__ = "heartbeat"

    worker: Mapped[str] = mapped_column(sa.String(64), primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)


class BackupRecord(Base):
    """One row: the backups themselves are elsewhere, perhaps on another host."""

    __tablename__ = "backup"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # 1
    made_at: Mapped[datetime] = mapped_column(UtcDateTime)
    bytes: Mapped[int] = mapped_column(sa.BigInteger)


class MailState(StrEnum):
    """The state of a mail."""

    SENT = "sent"
    WAITING = "waiting"
    FAILED = "failed"


class QueuedMail(Base):
    """A mail; only a waiting one has its content, encrypted."""

    __tablename__ = "mail"

    id: Mapped[int] = mapped_column(primary_key=True)
    state: Mapped[str] = mapped_column(sa.String(7))
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)  # when it was written
    content: Mapped[str | None] = mapped_column(sa.Text)
    tries: Mapped[int] = mapped_column(default=0)
    due_at: Mapped[datetime | None] = mapped_column(UtcDateTime, index=True)  # of the next try


class Bucket(Base):
    """The tokens left of one rate limit. They refill with time, up to a capacity defined in code."""

    __tablename__ = "bucket"
    __table_args__ = (
        sa.Index("ix_bucket_filled_at", "filled_at"),  # full buckets are deleted
        {"sqlite_with_rowid": False},
    )

    key: Mapped[str] = mapped_column(sa.String(100), primary_key=True)
    tokens: Mapped[float] = mapped_column(sa.Float)
    filled_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Failure(Base):
    """How often one piece of work has failed, each time for the same reason."""

    __tablename__ = "failure"
    __table_args__ = ({"sqlite_with_rowid": False},)

    job: Mapped[str] = mapped_column(sa.String(40), primary_key=True)
    item: Mapped[str] = mapped_column(sa.String(40), primary_key=True)  # its id; empty for the whole job
    reason: Mapped[str] = mapped_column(sa.String(200))  # the type and the place of the error
    count: Mapped[int] = mapped_column()
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)  # the last one


class AuditEntry(Base):
    """Rows are only added. A curator's name stays when the account is deleted; a player's doesn't."""

    __tablename__ = "audit_entry"
    __table_args__ = (sa.Index("ix_audit_entry_subject", "subject", "subject_id", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    curator_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("player.id", ondelete="SET NULL"), index=True
    )
    curator_name: Mapped[str] = mapped_column(sa.String(20))
    action: Mapped[str] = mapped_column(sa.String(30))  # a verb: approve, reject, schedule ...
    subject: Mapped[str] = mapped_column(sa.String(20))  # a table
    subject_id: Mapped[str] = mapped_column(sa.String(22))
    before: Mapped[str | None] = mapped_column(sa.Text)  # JSON of the changed fields; None if there were none
    after: Mapped[str | None] = mapped_column(sa.Text)
    note: Mapped[str | None] = mapped_column(sa.Text)
