"""Reports: what players say is wrong with a puzzle, which curators read and close. Owns its transactions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, joinedload, mapped_column, relationship

from webapp.competition.daily import dailies
from webapp.identity import audit, limits, texts
from webapp.identity.limits import Taker
from webapp.identity.players import Identity
from webapp.models import AuditEntry, Player, Puzzle, Status
from webapp.process.column_types import UtcDateTime, partial
from webapp.process.database import Base, db, write_tx
from webapp.process.errors import Changed, NotFound
from webapp.process.words import gettext as _

LONGEST = 1000  # characters
MOST_LISTED = 100


class PuzzleReport(Base):
    """A player's complaint about a puzzle."""

    __tablename__ = "puzzle_report"
    __table_args__ = (partial("ix_puzzle_report_open", "id", where="closed_at IS NULL"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    puzzle_id: Mapped[int] = mapped_column(sa.ForeignKey("puzzle.id", ondelete="CASCADE"), index=True)
    # None for a visitor who has no game.
    player_id: Mapped[int | None] = mapped_column(sa.ForeignKey("player.id", ondelete="CASCADE"), index=True)
    text: Mapped[str] = mapped_column(sa.String(1000))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    player: Mapped[Player | None] = relationship()
    puzzle: Mapped[Puzzle] = relationship()


_OPEN = PuzzleReport.closed_at.is_(None)


def puzzle_of(puzzle_id: int, now: datetime) -> Puzzle:
    """Return a puzzle that players can get or could get. Raises NotFound for any other."""
    puzzle = db.session.get(Puzzle, puzzle_id)
    out = puzzle is not None and (
        puzzle.status in (Status.APPROVED, Status.WITHDRAWN)
        or dailies.with_puzzle(puzzle_id, None, now) is not None
    )
    if puzzle is None or not out:
        raise NotFound(_("We couldn’t find that puzzle."))
    return puzzle


def send(puzzle_id: int, player_id: int | None, network: str, text: str, now: datetime) -> None:
    """Store a report. A player's open report of the same puzzle is replaced. Raises BadInput, NotFound,
    TooMany.
    """
    text = texts.checked("text", text, LONGEST, missing=_("Tell us what’s wrong first."), lines=True)
    puzzle_of(puzzle_id, now)
    limits.demand([Taker(limits.REPORTS, network)], now)
    own = sa.select(PuzzleReport).where(
        PuzzleReport.puzzle_id == puzzle_id, PuzzleReport.player_id == player_id, _OPEN
    )
    with write_tx():
        found = None if player_id is None else db.session.scalar(own.with_for_update())
        if found is None:
            found = PuzzleReport(puzzle_id=puzzle_id, player_id=player_id)
            db.session.add(found)
        found.text, found.created_at = text, now


def waiting() -> Sequence[PuzzleReport]:
    """Return the open reports, newest first."""
    query = sa.select(PuzzleReport).where(_OPEN).order_by(PuzzleReport.id.desc()).limit(MOST_LISTED)
    with_both = query.options(joinedload(PuzzleReport.puzzle), joinedload(PuzzleReport.player))
    return db.session.scalars(with_both).all()


def of_puzzle(puzzle_id: int) -> Sequence[PuzzleReport]:
    """Return the reports of a puzzle, the open ones first."""
    query = sa.select(PuzzleReport).where(PuzzleReport.puzzle_id == puzzle_id)
    in_order = query.order_by(PuzzleReport.closed_at.is_not(None), PuzzleReport.id.desc())
    return db.session.scalars(in_order.limit(MOST_LISTED).options(joinedload(PuzzleReport.player))).all()


def close(curator: Identity, report_id: int, now: datetime, *, off: bool = False) -> AuditEntry:
    """Close a report, or open it again with `off`. Raises Changed, NotFound."""
    action, closes = "reopen" if off else "close", not off
    with write_tx():
        found = db.session.get(PuzzleReport, report_id, with_for_update=True, populate_existing=True)
        if found is None:
            raise NotFound(_("We couldn’t find that report."))
        if (found.closed_at is None) is not closes:
            raise Changed(_("Another curator has closed this report already."), found.puzzle_id)
        found.closed_at = now if closes else None
        before, after = {"open": closes}, {"open": not closes}
        subject = ("report", report_id)
        entry = audit.record(curator, action, subject, at=now, before=before, after=after, note=found.text)
        db.session.flush()
        return entry
