"""ApiToken: authenticates a curator's program."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class ApiToken(Base):
    """Only a digest of the token is stored, so that a leaked database contains no usable token."""

    __tablename__ = "api_token"

    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), index=True)
    epoch: Mapped[int]  # the player's epoch when it was made: it expires with the sessions of that epoch
    name: Mapped[str] = mapped_column(sa.String(40))
    digest: Mapped[str] = mapped_column(sa.String(64), unique=True)  # SHA-256: 256 random bits need no salt
    read_only: Mapped[bool] = mapped_column(default=False, server_default=sa.false())
    parts: Mapped[str] = mapped_column(sa.String(200), default="", server_default="")  # blueprints; "": all
    expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # last use, to the minute
