"""A player's progress with each technique, and which of their solves used it. Owns its transactions.

Guests become players with their first answer; reading alone stores nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

import sqlalchemy as sa

from webapp.bank import breakdown
from webapp.identity import players
from webapp.models import Attempt, LessonProgress, Player, Puzzle
from webapp.process.database import db, upsert, write_tx

MOST_SOLVES = 100  # latest solves whose techniques are counted
MOST_LINKED = 3


class State(IntEnum):
    """A player's progress with a technique; each state includes the earlier ones."""

    NEW = 0
    SEEN = 1  # the lesson was opened
    PRACTICED = 2  # an exercise of it was solved


@dataclass(frozen=True, slots=True)
class Solve:
    """A finished game of the player and the techniques its puzzle needs."""

    attempt_id: str
    puzzle_id: int
    level: int
    techniques: frozenset[str]


def of_player(player_id: int | None) -> dict[str, LessonProgress]:
    """Return a player's progress by technique."""
    if player_id is None:
        return {}
    rows = db.session.scalars(sa.select(LessonProgress).where(LessonProgress.player_id == player_id))
    return {row.technique: row for row in rows}


def states(player_id: int | None) -> dict[str, State]:
    """Return the states of the techniques that aren't new to a player."""
    return {
        key: State.PRACTICED if row.practiced_at else State.SEEN for key, row in of_player(player_id).items()
    }


def record(
    player_id: int | None, key: str, state: State, now: datetime, *, right: bool | None = None
) -> Player | None:
    """Raise a player's state of a technique to at least `state`. Returns the guest created if there was no
    player, whom the caller signs in.

    right: counts a drill, and whether it was right.
    """
    created = None
    with write_tx():
        if player_id is None:
            created = players.new_guest(now)
            db.session.flush()
            player_id = created.id
        mark(player_id, key, state, now, right=right)
    return created


def mark(player_id: int, key: str, state: State, now: datetime, *, right: bool | None = None) -> None:
    """Do the same for a player, inside the caller's transaction."""
    row = {"player_id": player_id, "technique": key, "seen_at": now}
    db.session.execute(upsert(LessonProgress.__table__).on_conflict_do_nothing(), row)
    mine = LessonProgress
    values: dict[sa.orm.InstrumentedAttribute[object], object] = {}
    if state >= State.PRACTICED:
        values[mine.practiced_at] = sa.func.coalesce(mine.practiced_at, now)
    if right is not None:
        values |= {mine.drills: mine.drills + 1, mine.right: mine.right + int(right)}
    if values:
        here = mine.player_id == player_id, mine.technique == key
        db.session.execute(sa.update(mine).where(*here).values(values))


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


def used(found: list[Solve]) -> Counter[str]:
    """Return how many of these solves used each technique."""
    return Counter(key for solve in found for key in solve.techniques)


def merge(guest_id: int, into_id: int) -> None:
    """Give a guest's progress to an account, with the earliest times and all drills."""
    known = of_player(into_id)
    for row in of_player(guest_id).values():
        own = known.get(row.technique)
        if own is None:
            own = LessonProgress(
                player_id=into_id, technique=row.technique, seen_at=row.seen_at, drills=0, right=0
            )
            db.session.add(own)
        own.seen_at = min(own.seen_at, row.seen_at)
        own.practiced_at = min(filter(None, (own.practiced_at, row.practiced_at)), default=None)
        own.drills, own.right = own.drills + row.drills, own.right + row.right
