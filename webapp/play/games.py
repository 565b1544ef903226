"""A player's games: list them, export them, merge them into an account, delete them with their player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import joinedload

from webapp.competition import logs
from webapp.competition.statistics import COUNTED
from webapp.identity.players import rows_of
from webapp.models import Attempt, Peek, Puzzle, Status
from webapp.process.database import db

MOST_LISTED = 50  # in play, and finished


def in_play(player_id: int | None, most: int = MOST_LISTED) -> Sequence[Attempt]:
    """Return the rows of the games a player has in play, newest first: no moves are folded."""
    own = sa.select(Attempt).where(Attempt.player_id == player_id, Attempt.finished_at.is_(None))
    own = own.options(joinedload(Attempt.puzzle, innerjoin=True), joinedload(Attempt.daily))
    return db.session.scalars(own.order_by(Attempt.updated_at.desc()).limit(most)).all() if player_id else ()


def finished(player_id: int | None) -> Sequence[Attempt]:
    """Return a player's latest finished games."""
    own = sa.select(Attempt).where(Attempt.player_id == player_id, Attempt.finished_at.is_not(None))
    return db.session.scalars(own.order_by(Attempt.finished_at.desc()).limit(MOST_LISTED)).all()


def best_times(player_id: int | None) -> dict[int, int]:
    """Return a player's fewest milliseconds without help by level."""
    best = (
        sa.select(Attempt.level, sa.func.min(Attempt.elapsed_ms))
        .join(Attempt.puzzle)
        .where(*COUNTED, Attempt.player_id == player_id)
        .where(Puzzle.status.in_((Status.APPROVED, Status.DAILY)))
        .group_by(Attempt.level)
    )
    return {level: fewest for level, fewest in db.session.execute(best) if fewest is not None}


def latest_of(player_id: int | None, puzzle_id: int) -> Attempt | None:
    """Return a player's latest game of a puzzle, or None."""
    own = sa.select(Attempt).where(Attempt.player_id == player_id, Attempt.puzzle_id == puzzle_id)
    return None if player_id is None else db.session.scalar(own.order_by(Attempt.started_at.desc()).limit(1))


def last_level(player_id: int | None) -> int:
    """Return the level of the game that a player began last; the easiest for a newcomer."""
    own = sa.select(Attempt.level).where(Attempt.player_id == player_id).order_by(Attempt.started_at.desc())
    return db.session.scalar(own.limit(1)) or 1


def listed_ms(attempt: Attempt, now: datetime) -> int:
    """Return milliseconds on the clock of a game in play, from its row alone."""
    running = (attempt.paused_at or now) - attempt.started_at
    return max(0, running // timedelta(milliseconds=1) - attempt.paused_ms)


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
