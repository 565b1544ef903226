"""How far a player is with each technique, and which of their solves used it. Owns its transactions.

Guests count as players from their first answer on; someone who only reads leaves nothing behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from webapp.bank import breakdown
from webapp.identity import players
from webapp.learn.practice import cards
from webapp.learn.state import State
from webapp.models import Attempt, LessonProgress, Player, Puzzle
from webapp.process.database import db, upsert, write_tx

MOST_SOLVES = 100  # latest solves that are looked at for what they used
MOST_LINKED = 3


@dataclass(frozen=True, slots=True)
class Solve:
    """A finished game of the player and the techniques its puzzle takes."""

    attempt_id: str
    puzzle_id: int
    level: int
    techniques: frozenset[str]


def states(player_id: int | None) -> dict[str, State]:
    """The states of the techniques that aren't new to a player, by their lessons and their practice."""
    if player_id is None:
        return {}
    found = dict(cards.states(player_id))
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
    """Let a player have reached `state` of these techniques; returns the guest it creates without a player.

    A player who is further already stays there. The caller signs a new guest in.
    """
    created = None
    with write_tx():
        if player_id is None:
            created = players.new_guest(now)
            db.session.flush()
            player_id = created.id
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
    return created


def solves(player_id: int | None) -> list[Solve]:
    """A player's latest finished games, newest first, with what their puzzles take. Folds no log."""
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
    """How many of these solves used each technique."""
    return Counter(key for solve in found for key in solve.techniques)
