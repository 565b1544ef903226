"""A player's games: export them, merge them into an account, delete them with their player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from webapp.competition import logs
from webapp.identity.players import rows_of
from webapp.models import Attempt, Peek, Puzzle, Status
from webapp.process.database import db


def exported(player_id: int) -> Iterator[tuple[str, Any]]:
    """Return the puzzles that a player has seen, then their games."""
    yield "seen", rows_of(Peek, player_id, puzzle="puzzle_id", at="seen_at")
    yield "attempts", _games(player_id)


def _games(player_id: int) -> Iterator[dict[str, Any]]:
    """Return each game with its moves, loaded one by one as there can be many."""
    own = sa.select(Attempt.id).where(Attempt.player_id == player_id)
    for attempt_id in db.session.scalars(own.order_by(Attempt.started_at, Attempt.id)).all():
        attempt = db.session.get_one(Attempt, attempt_id)
        yield {
            "id": attempt.id,
            "puzzle": attempt.puzzle_id,
            "givens": attempt.givens,
            "level": attempt.level,
            "daily": attempt.daily.date.isoformat() if attempt.daily is not None else None,
            "ranked": attempt.ranked,
            "assisted": attempt.assisted,
            "started_at": attempt.started_at.isoformat(),
            "finished_at": None if attempt.finished_at is None else attempt.finished_at.isoformat(),
            "elapsed_ms": attempt.elapsed_ms,
            "waited_ms": attempt.waited_ms,
            "standing": attempt.standing,
            "doubts": attempt.doubts,
            "verdict": attempt.verdict,
            "appeal": attempt.appeal,
            "points": attempt.points,
            "moves": [
                {
                    "seq": move.seq,
                    "kind": move.kind,
                    "cell": move.cell,
                    "digit": move.digit,
                    "received_at": received_at.isoformat(),
                }
                for move, received_at in logs.part(attempt.id, 1, attempt.last_seq)
            ],
        }
        db.session.expire_all()


def merge(guest_id: int, into_id: int) -> None:
    """Move a guest's games to an account.

    If both have played a puzzle, only the very first attempt can be ranked: a second attempt by someone who
    has seen the puzzle is never ranked.
    """
    of_guest = sa.select(Attempt.puzzle_id).where(Attempt.player_id == guest_id)
    first: dict[int, Attempt] = {}
    for attempt in db.session.scalars(
        sa.select(Attempt)
        .where(Attempt.player_id.in_((guest_id, into_id)), Attempt.puzzle_id.in_(of_guest))
        .order_by(Attempt.started_at, Attempt.id)
    ):
        if first.setdefault(attempt.puzzle_id, attempt) is not attempt:
            attempt.ranked = False
    db.session.flush()  # before the merge: a player can have only one ranked attempt per puzzle
    db.session.execute(sa.update(Attempt).where(Attempt.player_id == guest_id).values(player_id=into_id))
    seen = {
        peek.puzzle_id: peek for peek in db.session.scalars(sa.select(Peek).where(Peek.player_id == into_id))
    }
    for peek in db.session.scalars(sa.select(Peek).where(Peek.player_id == guest_id)):
        own = seen.get(peek.puzzle_id)
        if own is None:
            db.session.add(Peek(player_id=into_id, puzzle_id=peek.puzzle_id, seen_at=peek.seen_at))
        else:
            own.seen_at = min(own.seen_at, peek.seen_at)


def forget(player_id: int) -> None:
    """Delete a player's games, and the puzzles they entered unless someone else has played them."""
    entered = list(
        db.session.scalars(
            sa.select(Puzzle.id)
            .join(Attempt, Attempt.puzzle_id == Puzzle.id)
            .where(Attempt.player_id == player_id, Puzzle.status == Status.ENTERED)
            .distinct()
        )
    )
    db.session.execute(sa.delete(Attempt).where(Attempt.player_id == player_id))
    played = sa.exists().where(Attempt.puzzle_id == Puzzle.id)
    db.session.execute(sa.delete(Puzzle).where(Puzzle.id.in_(entered), ~played))
