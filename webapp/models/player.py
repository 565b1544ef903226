"""Player: someone who has started an attempt. A guest has no name."""

from __future__ import annotations

import secrets
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class Listing(StrEnum):
    """How leaderboards show a player."""

    NAMED = "named"
    ANONYMOUS = "anonymous"  # a row without the name
    NONE = "none"  # on no leaderboard


class Role(StrEnum):
    """A curator's role at the desk; webapp/curation/access.py lists its rights."""

    ADMINISTRATOR = "administrator"
    EDITOR = "editor"
    REVIEWER = "reviewer"
    MODERATOR = "moderator"


class SignIn(Base):
    """A session of a player with an account: one browser, until it expires or is ended."""

    __tablename__ = "sign_in"
    __table_args__ = ({"sqlite_with_rowid": False},)

    id: Mapped[str] = mapped_column(sa.String(22), primary_key=True)  # random; the signed cookie carries it
    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)  # to the hour
    device: Mapped[str] = mapped_column(sa.String(40))  # such as "Firefox, Windows"; empty if unknown
    place: Mapped[str] = mapped_column(sa.String(45))  # the network of its last address


class Player(Base):
    __tablename__ = "player"
    __table_args__ = (sa.CheckConstraint("(name IS NULL) = (password_hash IS NULL)", name="name_or_guest"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    # Stored in the cookie: unlike a row id, it is never reused after a deletion.
    key: Mapped[str] = mapped_column(sa.String(22), unique=True, default=lambda: secrets.token_urlsafe(16))
    name: Mapped[str | None] = mapped_column(sa.String(20), unique=True)
    # The name folded, so that no two names look alike
    name_key: Mapped[str | None] = mapped_column(sa.String(40), unique=True)
    password_hash: Mapped[str | None] = mapped_column(sa.String(200))  # argon2id, with its parameters
    email: Mapped[str | None] = mapped_column(sa.String(254))  # confirmed; for recovery
    # In the cookie as well; an increment ends every session.
    epoch: Mapped[int] = mapped_column(default=0, server_default="0")
    listing: Mapped[str] = mapped_column(sa.String(9), default=Listing.NAMED, server_default="named")
    # Kept off all leaderboards by a curator, until then or for good; the reason, and the player's reply.
    suspended: Mapped[bool] = mapped_column(default=False, server_default=sa.false())
    suspended_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    suspension_reason: Mapped[str | None] = mapped_column(sa.Text)
    appeal: Mapped[str | None] = mapped_column(sa.Text)
    language: Mapped[str | None] = mapped_column(sa.String(20))  # of pages and mails; None: the browser's
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    named_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # A curator's role; None for everyone else. Their second factor, sealed (identity/keys.py), and
    # the last time step used, so that no code works twice.
    role: Mapped[str | None] = mapped_column(sa.String(13))
    totp_secret: Mapped[str | None] = mapped_column(sa.String(200))
    totp_step: Mapped[int | None] = mapped_column(sa.BigInteger)
    recovery_codes: Mapped[str | None] = mapped_column(sa.Text)  # digests of a curator's unused ones

    @hybrid_property
    def curator(self) -> bool:
        """Whether the player may use the desk."""
        return self.role is not None

    @curator.inplace.expression
    @classmethod
    def _curator(cls) -> sa.ColumnElement[bool]:
        return cls.role.is_not(None)


class LessonProgress(Base):
    """A player's progress with a technique."""

    __tablename__ = "lesson_progress"
    __table_args__ = ({"sqlite_with_rowid": False},)

    player_id: Mapped[int] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), primary_key=True)
    technique: Mapped[str] = mapped_column(sa.String(40), primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
    practiced_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # when an exercise was first solved
    drills: Mapped[int] = mapped_column(default=0, server_default="0")
    right: Mapped[int] = mapped_column(default=0, server_default="0")  # drills answered right
