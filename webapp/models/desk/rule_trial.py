"""RuleTrial: other weights of a figure of fair play, tried on past solves and perhaps in use."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class RuleTrial(Base):
    """In use from `used_from` until `used_until`, if ever. At most one of a key is in use."""

    __tablename__ = "rule_trial"
    __table_args__ = (
        sa.Index(
            "uq_rule_trial_used",
            "key",
            unique=True,
            sqlite_where=sa.text("used_from IS NOT NULL AND used_until IS NULL"),
            postgresql_where=sa.text("used_from IS NOT NULL AND used_until IS NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(sa.String(12))  # of a `Weight`
    harmless: Mapped[float] = mapped_column(sa.Float)
    doubtful: Mapped[float] = mapped_column(sa.Float)
    most: Mapped[float] = mapped_column(sa.Float)
    tried_at: Mapped[datetime] = mapped_column(UtcDateTime)
    tried_by: Mapped[int | None] = mapped_column(sa.ForeignKey("player.id", ondelete="SET NULL"), index=True)
    used_from: Mapped[datetime | None] = mapped_column(UtcDateTime)
    used_until: Mapped[datetime | None] = mapped_column(UtcDateTime)

    @property
    def used(self) -> bool:
        """Whether solves are judged by it now."""
        return self.used_from is not None and self.used_until is None
