"""Notices that curators show to all players on the home page until a day. Owns its transactions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, mapped_column

from webapp.identity import audit, texts
from webapp.identity.players import Identity
from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base, db, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

LONGEST = 500  # characters
FURTHEST = timedelta(days=366)  # last day of a notice, after today
MOST = 5  # shown at once


class Notice(Base):
    """A message of curators to all players, on the home page."""

    __tablename__ = "notice"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(sa.String(500))
    until: Mapped[date] = mapped_column(sa.Date, index=True)  # the last day on which it is shown
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


def shown(now: datetime) -> Sequence[Notice]:
    """Return the notices that players see, newest first."""
    current = sa.select(Notice).where(Notice.until >= now.date()).order_by(Notice.id.desc())
    return db.session.scalars(current.limit(MOST)).all()


def publish(curator: Identity, text: str, until: date | None, now: datetime) -> Notice:
    """Show a notice until the end of a day. Raises BadInput."""
    text = texts.checked("text", text, LONGEST, missing=_("Write the notice first."), lines=True)
    if until is None or not now.date() <= until <= now.date() + FURTHEST:
        raise BadInput(until=_("Choose a day from today to a year from now."))
    with write_tx():
        if len(shown(now)) >= MOST:
            raise BadInput(text=_("Players see %(most)s notices at a time. End one first.", most=MOST))
        made = Notice(text=text, until=until, created_at=now)
        db.session.add(made)
        db.session.flush()
        after = {"text": text, "until": until.isoformat()}
        audit.record(curator, "publish", ("notice", made.id), at=now, after=after)
    return made


def end(curator: Identity, notice_id: int, now: datetime) -> None:
    """Delete a notice. Raises NotFound."""
    with write_tx():
        found = db.session.get(Notice, notice_id, with_for_update=True)
        if found is None:
            raise NotFound(_("We couldn’t find that notice."))
        before = {"text": found.text, "until": found.until.isoformat()}
        audit.record(curator, "end", ("notice", notice_id), at=now, before=before)
        db.session.delete(found)
