"""A player's progress with each technique, and which of their solves used it. Owns its transactions.

Guests become players with their first answer; reading alone stores nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from webapp.bank import breakdown
from webapp.capability import ask
from webapp.identity import players
from webapp.learn.state import State
from webapp.models import Attempt, LessonProgress, Player, Puzzle
from webapp.process.database import db, upsert, write_tx

MOST_SOLVES = 100  # latest solves whose techniques are counted
MOST_LINKED = 3


@dataclass(frozen=True, slots=True)
class Solve:
    """A finished game of the player and the techniques its puzzle needs."""

    attempt_id: str
    puzzle_id: int
    level: int
    techniques: frozenset[str]


def states(player_id: int | None) -> dict[str, State]:
    """Return the states of the techniques that aren't new to a player, by their lessons and their
    practice.
    """
    if player_id is None:
        return {}
    found: dict[str, State] = {}
    for practiced_states in ask("states of techniques", player_id):
        found |= practiced_states
    rows = db.session.execute(
        sa.select(LessonProgress.technique, LessonProgress.practiced_at, LessonProgress.mastered_at).where(
            LessonProgress.player_id == player_id
        )
    )
    for key, practiced, mastered in rows:
        state = State.MASTERED if mastered else State.PRACTICED if practiced else State.SEEN
        found[key] = max(state, found.get(key, State.NEW))
    return found


def record(player_id: int | None, keys: Collection[str], state: State, now: datetime) -> Player | None:
    """Raise a player's state of these techniques to at least `state`; returns the guest created if there was
    no player.

    The caller signs a new guest in.
    """
    created = None
    with write_tx():
        if player_id is None:
            created = players.new_guest(now)
            db.session.flush()
            player_id = created.id
        mark(player_id, keys, state, now)
    return created


def mark(player_id: int, keys: Collection[str], state: State, now: datetime) -> None:
    """Do the same for a player, inside the caller's transaction."""
    insert = upsert(LessonProgress.__table__).on_conflict_do_nothing()
    db.session.execute(
        insert, [{"player_id": player_id, "technique": key, "seen_at": now} for key in sorted(keys)]
    )
    for column, reached in (
        (LessonProgress.practiced_at, State.PRACTICED),
        (LessonProgress.mastered_at, State.MASTERED),
    ):
        if state >= reached:
            db.session.execute(
                sa.update(LessonProgress)
                .where(
                    LessonProgress.player_id == player_id,
                    LessonProgress.technique.in_(keys),
                    column.is_(None),
                )
                .values({column: now})
            )


def solves(player_id: int | None) -> list[Solve]:
    """Return a player's latest finished games, newest first, with their puzzles' techniques. Folds no log."""
    if player_id is None:
        return []
    rows = db.session.execute(
        sa.select(Attempt.id, Attempt.puzzle_id, Attempt.level, Puzzle.breakdown)
        .join(Attempt.puzzle)
        .where(Attempt.player_id == player_id, Attempt.finished_at.is_not(None))
        .order_by(Attempt.finished_at.desc())
        .limit(MOST_SOLVES)
    )
    found = []
    for attempt_id, puzzle_id, level, text in rows:
        known = breakdown.read(text)
        found.append(Solve(attempt_id, puzzle_id, level, frozenset(known.counts if known else ())))
    return found


def used(found: Collection[Solve]) -> Counter[str]:
    """Return how many of these solves used each technique."""
    return Counter(key for solve in found for key in solve.techniques)


def merge(guest_id: int, into_id: int) -> None:
    """Give a guest's lessons to an account, with the earliest time of each state."""
    of = sa.select(LessonProgress)
    known = {row.technique: row for row in db.session.scalars(of.where(LessonProgress.player_id == into_id))}
    for row in db.session.scalars(of.where(LessonProgress.player_id == guest_id)):
        own = known.get(row.technique)
        if own is None:
            own = LessonProgress(player_id=into_id, technique=row.technique, seen_at=row.seen_at)
            db.session.add(own)
        own.seen_at = min(own.seen_at, row.seen_at)
        own.practiced_at = _earlier(own.practiced_at, row.practiced_at)
        own.mastered_at = _earlier(own.mastered_at, row.mastered_at)


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    return min(filter(None, (one, other)), default=None)
