"""Bucket: the tokens left of one rate limit, such as for sign-ins from one address."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class Bucket(Base):
    """Tokens at `filled_at`; they refill with time, up to a capacity defined in code."""

    __tablename__ = "bucket"
    __table_args__ = (
        sa.Index("ix_bucket_filled_at", "filled_at"),  # full buckets are deleted
        {"sqlite_with_rowid": False},
    )

    key: Mapped[str] = mapped_column(sa.String(100), primary_key=True)
    tokens: Mapped[float] = mapped_column(sa.Float)
    filled_at: Mapped[datetime] = mapped_column(UtcDateTime)
