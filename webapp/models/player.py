"""Player: somebody who has started an attempt. A guest has no name."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.database import Base
from webapp.models.types import UtcDateTime


class Player(Base):
    __tablename__ = "player"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str | None] = mapped_column(sa.String(20), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
