"""Heartbeat: when each worker was last seen at work."""

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
