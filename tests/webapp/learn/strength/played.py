"""Rated games for tests: rated puzzles, and finished attempts at them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from tests.webapp.solves import relabelled, stored
from tests.webapp.visitors import SetClock
from webapp.models import Attempt, Move, PlayerRating, Puzzle, PuzzleRating, RatedGame, Status
from webapp.process.database import db

NOW = SetClock.time


def add_puzzles(count: int, **columns: Any) -> list[int]:
    """Add approved puzzles of ER 4 that take 12 minutes by default. Returns their ids."""
    with stored():
        before = db.session.scalar(sa.select(sa.func.count()).select_from(Puzzle)) or 0
        values = {
            "level": 3,
            "rating_version": "test",
            "explainer": 4.0,
            "expected_seconds": 720.0,
            "hardest": "x_wing",
            "status": Status.APPROVED,
            "engine_version": "test",
            "created_at": NOW,
        }
        puzzles = [Puzzle(givens=relabelled(before + n), **values | columns) for n in range(count)]
        db.session.add_all(puzzles)
        db.session.flush()
        return [puzzle.id for puzzle in puzzles]


def add_game(
    player_id: int,
    puzzle_id: int,
    minutes: float | None = 10,
    *,
    ended: datetime = NOW,
    help: Sequence[tuple[int, str, int | None]] = (),
    **columns: Any,
) -> str:
    """Add a finished attempt, or an abandoned one without minutes. Returns its id."""
    with stored():
        started = ended - timedelta(minutes=minutes or 0)
        attempt = Attempt(
            player_id=player_id,
            puzzle_id=puzzle_id,
            **{
                "level": 3,
                "started_at": started,
                "updated_at": ended,
                "last_seq": 60,
                "finished_at": None if minutes is None else ended,
                "elapsed_ms": None if minutes is None else round(60_000 * minutes),
                "assisted": bool(help),
            }
            | columns,
        )
        db.session.add(attempt)
        db.session.flush()
        for seq, kind, digit in help:
            db.session.add(
                Move(attempt_id=attempt.id, seq=seq, kind=kind, cell="", digit=digit, received_at=ended)
            )
        return attempt.id


def games(player_id: int) -> list[RatedGame]:
    """Return a player's rated games, oldest first."""
    db.session.rollback()
    own = sa.select(RatedGame).where(RatedGame.player_id == player_id)
    return list(db.session.scalars(own.order_by(RatedGame.rated_at)))


def ratings(player_id: int) -> dict[str, PlayerRating]:
    """Return a player's ratings by family."""
    db.session.rollback()
    own = sa.select(PlayerRating).where(PlayerRating.player_id == player_id)
    return {row.family: row for row in db.session.scalars(own)}


def rating_of(puzzle_id: int) -> tuple[float, int] | None:
    """Return a puzzle's rating and how many games have moved it."""
    db.session.rollback()
    row = db.session.get(PuzzleRating, puzzle_id)
    return None if row is None else (row.rating, row.games)
