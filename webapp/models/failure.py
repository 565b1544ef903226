"""Failure: work of the background that keeps failing in the same way."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class Failure(Base):
    """How often one piece of work has failed, each time for the same reason."""

    __tablename__ = "failure"
    __table_args__ = ({"sqlite_with_rowid": False},)

    job: Mapped[str] = mapped_column(sa.String(40), primary_key=True)
    item: Mapped[str] = mapped_column(sa.String(40), primary_key=True)  # its id; empty for the whole job
    reason: Mapped[str] = mapped_column(sa.String(200))  # the type and the place of the error
    count: Mapped[int] = mapped_column()
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)  # the last one
