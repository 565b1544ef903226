"""Facts about the operation: when each worker last reported, and the last backup."""

from __future__ import annotations

from datetime import datetime

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
