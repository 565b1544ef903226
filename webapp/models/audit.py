"""AuditEntry: a curator's action, with the values before and after."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base


class AuditEntry(Base):
    """Rows are only added. A curator's name stays when the account is deleted; a player's doesn't."""

    __tablename__ = "audit_entry"
    __table_args__ = (sa.Index("ix_audit_entry_subject", "subject", "subject_id", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    curator_id: Mapped[int | None] = mapped_column(
        sa.ForeignKey("player.id", ondelete="SET NULL"), index=True
    )
    curator_name: Mapped[str] = mapped_column(sa.String(20))
    action: Mapped[str] = mapped_column(sa.String(30))  # a verb: approve, reject, schedule ...
    subject: Mapped[str] = mapped_column(sa.String(20))  # a table
    subject_id: Mapped[str] = mapped_column(sa.String(22))
    before: Mapped[str | None] = mapped_column(sa.Text)  # JSON of the changed fields; None if there were none
    after: Mapped[str | None] = mapped_column(sa.Text)
    note: Mapped[str | None] = mapped_column(sa.Text)
