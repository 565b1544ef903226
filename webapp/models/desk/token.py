"""ApiToken: what a program of a curator identifies itself with."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class ApiToken(Base):
    """Of the token itself there is only a digest: nobody can read it here and use it."""

    __tablename__ = "api_token"

    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), index=True)
    epoch: Mapped[int]  # of the player, in which it was made: it ends with the sessions of that epoch
    name: Mapped[str] = mapped_column(sa.String(40))
    digest: Mapped[str] = mapped_column(sa.String(64), unique=True)  # SHA-256: 256 random bits need no salt
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # for the last time, to the minute
