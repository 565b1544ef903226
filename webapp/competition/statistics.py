"""Compare a solve with the player's others, with everyone's, and with the expected time.

Only unassisted first solves count, outside races, and none under review unless a curator has cleared it. An
attempt can count if it is its player's first contact with the puzzle, and not void.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import sqlalchemy as sa

from engine.rating import blend, interval
from webapp.models import Attempt, Daily, Peek, Puzzle, Standing, Status
from webapp.process.database import db

MOST_COMPARED = 10_000  # number of latest solves in a median
MOST_NORMALISED = 200  # number of solvers of a puzzle whose pace is used
FEWEST_FOR_PACE = 5  # other solves needed to know a player's pace
HARDEST = 12.0  # assumed SE rating of a puzzle without one, for which the model has no data
ENOUGH = 30  # solves needed for a reliable median

_attempt = Attempt.__table__
_earlier = _attempt.alias("earlier")
_earlier_one = sa.exists().where(
    _earlier.c.player_id == _attempt.c.player_id,
    _earlier.c.puzzle_id == _attempt.c.puzzle_id,
    _earlier.c.started_at < _attempt.c.started_at,
)

# The attempt's player saw the puzzle, at the desk or in a replay, before solving it.
PEEKED = sa.exists().where(
    Peek.player_id == _attempt.c.player_id,
    Peek.puzzle_id == _attempt.c.puzzle_id,
    Peek.seen_at < _attempt.c.finished_at,
)
_its_daily = Daily.__table__.alias("its_daily")
# The same as `Attempt.void`: its daily's puzzle was withdrawn.
VOID = sa.exists().where(
    _its_daily.c.id == _attempt.c.daily_id,
    sa.or_(
        _its_daily.c.puzzle_id != _attempt.c.puzzle_id,
        sa.and_(_its_daily.c.withdrawn_at.is_not(None), _its_daily.c.former_id == _its_daily.c.puzzle_id),
    ),
)
# The player started the puzzle earlier, or saw it, or the attempt is void.
BARRED = sa.or_(_earlier_one, PEEKED, VOID)
# Outside dailies, only races have transformed puzzles; all their clocks start with the race.
RACED = sa.and_(Attempt.turn.is_not(None), Attempt.daily_id.is_(None))


@dataclass(frozen=True, slots=True)
class PuzzleTimes:
    """The median of all unassisted solves of one puzzle, in milliseconds."""

    median: int | None
    solves: int

    @property
    def few(self) -> bool:
        """Whether there are too few for a reliable median."""
        return self.solves < ENOUGH


@dataclass(frozen=True, slots=True)
class Comparison:
    """Medians in milliseconds; None without solves to compare with."""

    own_median: int | None  # of the player's other solves at this level
    own_solves: int
    puzzle_median: int | None  # of other players' solves of this puzzle
    puzzle_solves: int
    seconds: dict[int, int]  # others' solves of this puzzle by second


def compare(attempt: Attempt) -> Comparison:
    """Compare a finished attempt with earlier solves and with those of others."""
    others = Attempt.id != attempt.id
    own = _times(others, Attempt.player_id == attempt.player_id, Attempt.level == attempt.level)
    same = _times(others, Attempt.player_id != attempt.player_id, Attempt.puzzle_id == attempt.puzzle_id)
    seconds = dict(sorted(Counter(time // 1000 for time in same).items()))
    return Comparison(_median(own), len(own), _median(same), len(same), seconds)


@dataclass(frozen=True, slots=True)
class Best:
    """A player's record before a game, as far as the finish shows it."""

    solved: bool  # whether any game was finished
    alone_at_level: bool  # whether one at this level was, without help
    month_ms: int | None  # the best time of these in the month of the game


def best_before(attempt: Attempt) -> Best:
    """Look at a player's other games, without help at the level of a finished one, and at all."""
    others = (Attempt.player_id == attempt.player_id, Attempt.id != attempt.id)
    solved = db.session.scalar(
        sa.select(Attempt.id).where(*others, Attempt.finished_at.is_not(None)).limit(1)
    )
    level = (*others, Attempt.level == attempt.level)
    alone = solved and db.session.scalar(_counted((Attempt.id,), *level).limit(1))
    if not alone or attempt.finished_at is None:
        return Best(bool(solved), alone_at_level=False, month_ms=None)
    month = attempt.finished_at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    best = db.session.scalar(
        _counted((sa.func.min(Attempt.elapsed_ms),), *level, Attempt.finished_at >= month)
    )
    return Best(True, alone_at_level=True, month_ms=best)


def of_puzzle(puzzle_id: int) -> PuzzleTimes:
    """Return players' times for a puzzle."""
    times = _times(Attempt.puzzle_id == puzzle_id)
    return PuzzleTimes(_median(times), len(times))


@dataclass(frozen=True, slots=True)
class Learned:
    """How players' times for a puzzle differ from the expected time; 0.2 means a fifth longer."""

    seconds: float  # expected by the model, updated by measured times
    interval: tuple[float, float]  # seconds between which four of five mean times lie
    times: PuzzleTimes
    players: float | None  # how much the median differs from the expectation
    at_their_pace: float | None  # the same, with each time first divided by that player's own pace
    own_ms: int | None
    own: float | None  # how much the player's own time differs
    own_at_pace: float | None  # how much it differs from the player's usual time


def learned(puzzle_id: int, player_id: int | None) -> Learned | None:
    """Return what is known about a puzzle's difficulty; None without an expected time."""
    rated = db.session.execute(
        sa.select(Puzzle.expected_seconds, Puzzle.explainer).where(Puzzle.id == puzzle_id)
    ).one_or_none()
    if rated is None or not rated.expected_seconds:
        return None
    expected = rated.expected_seconds
    times = of_puzzle(puzzle_id)
    seconds = blend(expected, times.median / 1000, times.solves) if times.median else expected
    latest = db.session.execute(
        _counted((Attempt.player_id, Attempt.elapsed_ms), Attempt.puzzle_id == puzzle_id)
        .order_by(Attempt.finished_at.desc())
        .limit(MOST_NORMALISED)
    ).all()
    own_ms = None
    if player_id is not None:
        own_ms = db.session.scalar(
            _counted((Attempt.elapsed_ms,), Attempt.puzzle_id == puzzle_id, Attempt.player_id == player_id)
        )
    paces = _paces({row.player_id for row in latest} | {player_id or 0}, puzzle_id)
    ratios = [
        row.elapsed_ms / expected / 1000 / paces[row.player_id] for row in latest if row.player_id in paces
    ]
    own = None if own_ms is None else own_ms / expected / 1000
    pace = paces.get(player_id or 0)
    return Learned(
        seconds,
        interval(seconds, rated.explainer or HARDEST, times.solves),
        times,
        None if times.median is None else times.median / expected / 1000 - 1,
        median(ratios) - 1 if ratios else None,
        own_ms,
        None if own is None else own - 1,
        None if own is None or pace is None else own / pace - 1,
    )


def _paces(player_ids: set[int], without: int) -> dict[int, float]:
    """Return each player's usual time, relative to expected times, over enough other puzzles."""
    rows = db.session.execute(
        _counted(
            (Attempt.player_id, Attempt.elapsed_ms, Puzzle.expected_seconds),
            Attempt.player_id.in_(player_ids),
            Attempt.puzzle_id != without,
        )
        .join(Attempt.puzzle)
        .where(Puzzle.expected_seconds > 0, Puzzle.status != Status.ENTERED)
        .order_by(Attempt.finished_at.desc())
        .limit(MOST_COMPARED)
    )
    ratios: dict[int, list[float]] = {}
    for player_id, elapsed_ms, expected in rows:
        ratios.setdefault(player_id, []).append(elapsed_ms / expected / 1000)
    return {
        player_id: median(own)
        for player_id, own in ratios.items()
        if len(own) >= FEWEST_FOR_PACE and median(own)
    }


# The conditions for an attempt to count in any statistic.
COUNTED: tuple[sa.ColumnElement[bool], ...] = (
    Attempt.finished_at.is_not(None),
    Attempt.assisted.is_(False),
    sa.or_(
        sa.and_(Attempt.doubts.is_(None), Attempt.standing.is_(None)), Attempt.standing == Standing.VERIFIED
    ),
    ~BARRED,
)


def _counted(columns: Sequence[Any], *conditions: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Select these columns of the solves that count."""
    return sa.select(*columns).where(*COUNTED, ~RACED, *conditions)


def _times(*conditions: sa.ColumnElement[bool]) -> list[int]:
    query = (
        _counted((Attempt.elapsed_ms,), *conditions).order_by(Attempt.finished_at.desc()).limit(MOST_COMPARED)
    )
    return [time for time in db.session.scalars(query) if time is not None]


def _median(times: list[int]) -> int | None:
    return round(median(times)) if times else None
