"""QueuedMail: a mail that was sent, waits for another try, or was given up."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


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
