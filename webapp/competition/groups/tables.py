"""The tables of groups."""

from __future__ import annotations

import secrets
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class Group(Base):
    """Anyone with the invitation key can join; only members see the group."""

    __tablename__ = "player_group"  # GROUP is a reserved word in SQL

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(sa.String(22), unique=True, default=lambda: secrets.token_urlsafe(16))
    name: Mapped[str] = mapped_column(sa.String(40))
    owner_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Membership(Base):
    __tablename__ = "membership"
    __table_args__ = ({"sqlite_with_rowid": False},)

    group_id: Mapped[int] = mapped_column(
        sa.ForeignKey("player_group.id", ondelete="CASCADE"), primary_key=True
    )
    player_id: Mapped[int] = mapped_column(
        sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    joined_at: Mapped[datetime] = mapped_column(UtcDateTime)
