"""DeskMail: what a curator wants to be sent mail about."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class DeskMail(Base):
    """No row: about nothing."""

    __tablename__ = "desk_mail"

    player_id: Mapped[int] = mapped_column(
        sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    kinds: Mapped[str] = mapped_column(sa.String(60))  # with spaces between them
    told_until: Mapped[datetime] = mapped_column(UtcDateTime)  # what is older has been told
