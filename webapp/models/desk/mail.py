"""DeskMail: the events that a curator gets mail about."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class DeskMail(Base):
    """No row: no mail."""

    __tablename__ = "desk_mail"

    player_id: Mapped[int] = mapped_column(
        sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    kinds: Mapped[str] = mapped_column(sa.String(60))  # separated by spaces
    told_until: Mapped[datetime] = mapped_column(UtcDateTime)  # older events have been sent
