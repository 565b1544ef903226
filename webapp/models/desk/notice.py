"""Notice: what curators tell all players on the home page."""

from __future__ import annotations

from datetime import date, datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class Notice(Base):
    __tablename__ = "notice"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(sa.String(500))
    until: Mapped[date] = mapped_column(sa.Date, index=True)  # the last day on which it is shown
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
