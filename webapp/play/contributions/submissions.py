"""Submissions: players submit puzzles, curators decide, players get a mail. Owns its transactions.

A submission becomes a candidate. Its author knows it, so they can't be ranked on it. Until a curator has
decided, it can be withdrawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.orm import joinedload

import engine
from webapp.bank import bank
from webapp.identity import limits, texts
from webapp.identity.limits import Limit, Taker
from webapp.models import AuditEntry, Listing, Peek, Player, Puzzle, Status, Submission
from webapp.play import entered
from webapp.process.database import db, rows_changed, upsert, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

SHORTEST_TITLE, LONGEST_TITLE = 3, 60
MOST_WAITING = 10  # undecided submissions of a player
OFFERS = Limit("submission", 20, timedelta(days=1))  # per player
DECIDED = (Status.APPROVED, Status.REJECTED, Status.DAILY)
SETTLED = timedelta(minutes=5)  # after which a decision can't be undone, so that its player is notified


@dataclass(frozen=True, slots=True)
class Notice:
    """A decision to notify a player of."""

    to: str | None  # their address; None if they gave none
    name: str
    title: str
    puzzle_id: int
    accepted: bool
    reason: str | None


def of(player_id: int) -> Sequence[Submission]:
    """Return a player's submissions with their puzzles, newest first."""
    own = sa.select(Submission).where(Submission.player_id == player_id)
    return db.session.scalars(
        own.options(joinedload(Submission.puzzle)).order_by(Submission.id.desc()).limit(200)
    ).all()


def offer(player_id: int, text: str, title: str, now: datetime) -> None:
    """Submit a puzzle under a title. Raises BadInput naming the field, TooMany."""
    title = texts.checked("title", title)
    if not SHORTEST_TITLE <= len(title) <= LONGEST_TITLE:
        least, most = SHORTEST_TITLE, LONGEST_TITLE
        raise BadInput(title=_("Enter a title of %(least)s to %(most)s characters.", least=least, most=most))
    if not text.strip():
        raise BadInput(grid=_("Enter your puzzle."))
    checked = entered.check(text, player_id, now)
    if checked.grid is None or not checked.playable:
        raise BadInput(grid=checked.reason)
    limits.demand([Taker(OFFERS, str(player_id))], now)
    grid = checked.grid
    form = str(engine.canonical_form(grid))
    db.session.rollback()
    with write_tx():
        _refuse_more(player_id)
        known = bank.twin(str(grid), form)
        if known is not None and known.status != Status.ENTERED:
            raise BadInput(grid=_("We already have this puzzle, or one that’s equivalent to it."))
        made = bank.put(
            Puzzle(
                givens=str(grid),
                canonical=form,
                **bank.unrated(grid),
                status=Status.CANDIDATE,
                title=title,
                engine_version=engine.__version__,
                created_at=now,
            ),
            known,
        )
        db.session.add(Submission(player_id=player_id, puzzle_id=made.id, created_at=now))
        seen = {"player_id": player_id, "puzzle_id": made.id, "seen_at": now}
        db.session.execute(upsert(Peek.__table__).on_conflict_do_nothing(), [seen])


def _refuse_more(player_id: int) -> None:
    player = db.session.scalars(sa.select(Player).where(Player.id == player_id).with_for_update()).one()
    if player.suspended:
        raise BadInput(grid=_("Your account is suspended, so you can’t submit puzzles."))
    waiting = sa.select(sa.func.count()).select_from(Submission).join(Submission.puzzle)
    undecided = waiting.where(Submission.player_id == player_id, Puzzle.status == Status.CANDIDATE)
    if (db.session.scalar(undecided) or 0) >= MOST_WAITING:
        raise BadInput(
            grid=_("%(most)s of your puzzles are waiting for a curator. Try again later.", most=MOST_WAITING)
        )


def withdraw(player_id: int, submission_id: int) -> None:
    """Withdraw an undecided submission. Raises NotFound for any other."""
    with write_tx():
        own = sa.select(Submission).where(Submission.id == submission_id, Submission.player_id == player_id)
        found = db.session.scalar(own)
        waiting = Puzzle.id == (found.puzzle_id if found is not None else None)
        back = sa.update(Puzzle).where(waiting, Puzzle.status == Status.CANDIDATE)
        values = {"status": Status.ENTERED, "title": None, "version": Puzzle.version + 1}
        if found is None or not rows_changed(back.values(**values)):
            raise NotFound(_("A curator has decided on this, so you can’t withdraw it anymore."))
        db.session.delete(found)


def author_of(puzzle_id: int) -> str | None:
    """Return the name of the player who submitted a puzzle; None if nobody did, or they hide their name."""
    named = sa.select(Player.name).join(Submission, Submission.player_id == Player.id)
    return db.session.scalar(
        named.where(Submission.puzzle_id == puzzle_id, Player.listing == Listing.NAMED, ~Player.suspended)
    )


def to_tell(now: datetime) -> Iterator[Notice]:
    """Claim and yield the decisions that players haven't been notified of.

    Recent decisions wait: they may be undone.
    """
    just_now = sa.exists().where(
        AuditEntry.subject == "puzzle",
        AuditEntry.subject_id == sa.cast(Submission.puzzle_id, sa.String),
        AuditEntry.at > now - SETTLED,
    )
    waiting = (
        sa.select(Submission)
        .join(Submission.puzzle)
        .where(Submission.told_at.is_(None), Puzzle.status.in_(DECIDED), ~just_now)
        .options(joinedload(Submission.puzzle), joinedload(Submission.player))
    )
    for found in db.session.scalars(waiting.order_by(Submission.id).limit(500)).all():
        puzzle, player = found.puzzle, found.player
        notice = Notice(
            player.email,
            player.name or "",
            puzzle.title or "",
            puzzle.id,
            puzzle.status != Status.REJECTED,
            puzzle.reason,
        )
        if _claim(found.id, now):
            yield notice


def _claim(submission_id: int, now: datetime) -> bool:
    untold = sa.update(Submission).where(Submission.id == submission_id, Submission.told_at.is_(None))
    with write_tx():
        return rows_changed(untold.values(told_at=now)) == 1


def waiting() -> int:
    """Count the undecided submissions."""
    # Not a join: SQLite would start it from all candidates.
    undecided = sa.exists().where(Puzzle.id == Submission.puzzle_id, Puzzle.status == Status.CANDIDATE)
    return db.session.scalar(sa.select(sa.func.count()).select_from(Submission).where(undecided)) or 0


def submitters(ids: Sequence[int]) -> dict[int, str]:
    """Return the names of the players who submitted these puzzles, by puzzle."""
    named = sa.select(Submission.puzzle_id, Player.name).join(Player, Player.id == Submission.player_id)
    rows = db.session.execute(named.where(Submission.puzzle_id.in_(ids)))
    return {row.puzzle_id: row.name or "" for row in rows}


def is_of(puzzle_id: int, player_id: int) -> bool:
    """Whether a player has submitted this puzzle."""
    own = sa.select(Submission.id).where(Submission.puzzle_id == puzzle_id, Submission.player_id == player_id)
    return db.session.scalar(own) is not None


def since(moment: datetime) -> int:
    """Count the undecided submissions after a time."""
    undecided = sa.select(sa.func.count()).select_from(Submission).join(Submission.puzzle)
    new = undecided.where(Submission.created_at > moment, Puzzle.status == Status.CANDIDATE)
    return db.session.scalar(new) or 0
