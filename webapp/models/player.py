"""Player: somebody who has started an attempt. A guest has no name."""

from __future__ import annotations

import secrets
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.database import Base
from webapp.models.types import UtcDateTime


class Player(Base):
    __tablename__ = "player"

    id: Mapped[int] = mapped_column(primary_key=True)
    # What the cookie holds: a row's number could come again after a deletion, this cannot.
    key: Mapped[str] = mapped_column(sa.String(22), unique=True, default=lambda: secrets.token_urlsafe(16))
    name: Mapped[str | None] = mapped_column(sa.String(20), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
