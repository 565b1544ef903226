"""Outcomes: the result of an attempt whose last move solved it. Reads only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from engine import warm
from webapp.competition import standing
from webapp.competition.fair_play import traces
from webapp.game.fair_play import likeness, rules
from webapp.game.fair_play.solve import Solve
from webapp.game.moves import Move
from webapp.models import Attempt, Standing, Status, Trace
from webapp.process.clock import steady_between
from webapp.process.database import db

MOST_HISTORY = 30  # solves counted in a player's history
TOGETHER = timedelta(seconds=30)  # between two starts that count as simultaneous


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a newly solved attempt."""

    columns: dict[str, Any]  # of the attempt
    trace: likeness.Trace | None = None  # stored for games of open dailies
    copied: str | None = None  # an attempt to put under review: it copies this one, which began first


def outcome(
    attempt: Attempt,
    log: Sequence[tuple[Move, datetime]],
    now: datetime,
    elapsed_ms: int,
    *,
    helped: bool,
    steady: str | None,
) -> Outcome:
    """Assess an attempt whose last move, received now, solves it. Reads only.

    Doubts are recorded for every bank puzzle, since medians exclude doubted solves; only a daily's solve has
    a standing. `steady` is the reading of the steady clock. Copies are detected once the engine's techniques
    are compiled, some minutes after an update.
    """
    puzzle = attempt.puzzle
    if puzzle.status == Status.ENTERED:
        return Outcome({})
    ran = steady_between(attempt.steady_start, steady) if attempt.steady_start and steady else None
    solve = Solve(
        attempt.givens,
        puzzle.expected_seconds,
        attempt.started_at,
        timedelta(milliseconds=elapsed_ms),
        log,
        step=None if ran is None else now - attempt.started_at - ran,
    )
    trace = like = None
    if warm.ready() and attempt.daily is not None and now < attempt.daily.closes_at:
        trace = likeness.trace(solve)
        like = traces.nearest(attempt.puzzle_id, attempt.player_id, trace)
    first = like is not None and _is_original(attempt, like)
    doubts = rules.doubts(solve, copy=like is not None and not first)
    counts = not rules.under_review(doubts)
    state = Standing.ASSISTED if helped else Standing.VERIFIED if counts else Standing.REVIEW
    columns = {
        "doubts": json.dumps(doubts) if doubts else None,
        "standing": state if attempt.daily_id is not None else None,
        "original_id": like.attempt_id if like is not None and rules.ALIKE in doubts else None,
    }
    return Outcome(columns, trace, like.attempt_id if like is not None and first else None)


def settle(connection: sa.Connection, attempt: Any, outcome: Outcome, finished_at: datetime) -> None:
    """Place a solve that was just stored, and store its order, inside the caller's transaction."""
    if attempt.daily_id is not None:
        standing.place(connection, Attempt.id == attempt.id)
    if outcome.trace is not None:
        traces.keep(connection, attempt, finished_at, outcome.trace)


def _is_original(attempt: Attempt, like: Trace) -> bool:
    """Whether this game is the original of two with the same order: it began first.

    If they began together, as when one player watches the other, it is that of the player with the longer
    history.
    """
    if abs(attempt.started_at - like.started_at) > TOGETHER:
        return attempt.started_at < like.started_at
    here, there = (history(player_id) for player_id in (attempt.player_id, like.player_id))
    return here > there if here != there else attempt.started_at <= like.started_at


def history(player_id: int) -> int:
    """Count a player's verified ranked solves, up to MOST_HISTORY."""
    solves = sa.select(Attempt.id).where(
        Attempt.player_id == player_id, Attempt.ranked, Attempt.standing == Standing.VERIFIED
    )
    some = solves.limit(MOST_HISTORY).subquery()
    return db.session.scalar(sa.select(sa.func.count()).select_from(some)) or 0
