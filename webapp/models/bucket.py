"""Bucket: what is left of one limit, such as the sign-ins tried from one address."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.models.types import UtcDateTime
from webapp.process.database import Base


class Bucket(Base):
    """Tokens at `filled_at`; they come back with time up to a capacity that the limit's code knows."""

    __tablename__ = "bucket"
    __table_args__ = (
        sa.Index("ix_bucket_filled_at", "filled_at"),  # what has long been full again is swept
        {"sqlite_with_rowid": False},
    )

    key: Mapped[str] = mapped_column(sa.String(100), primary_key=True)
    tokens: Mapped[float] = mapped_column(sa.Float)
    filled_at: Mapped[datetime] = mapped_column(UtcDateTime)
