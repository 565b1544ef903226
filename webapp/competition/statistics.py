"""Compare a solve with the player's others, with everyone's, and with the expected time.

Only unassisted solves count, a player's first at the puzzle, none of a race, and none under review, unless a
curator has cleared it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from statistics import correlation, median
from typing import Any

import sqlalchemy as sa

from engine.rating.expected_time import blend, interval
from webapp.competition.first_meeting import MET_BEFORE
from webapp.models import Attempt, Puzzle, Standing, Status
from webapp.process.database import db

MOST_COMPARED = 10_000  # number of latest solves in a median
MOST_NORMALISED = 200  # number of solvers of a puzzle whose pace is used
FEWEST_FOR_PACE = 5  # other solves needed to know a player's pace
NEAR = 1.5  # times longer or shorter than expected
HARDEST = 12.0  # ER of a puzzle without one: the model knows nothing there
ENOUGH = 30  # solves needed for a median that is not provisional


@dataclass(frozen=True, slots=True)
class PuzzleTimes:
    """The median of all unassisted solves of one puzzle, in milliseconds."""

    median: int | None
    solves: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Medians in milliseconds; None where there is nothing to compare with."""

    own_median: int | None  # of the player's other solves at this level
    own_best: int | None
    own_solves: int
    puzzle_median: int | None  # of other players' solves of this puzzle
    puzzle_solves: int
    slower: float | None  # share of those that took longer, ties half, 0..1
    seconds: dict[int, int]  # others' solves of this puzzle by the second they took


def compare(attempt: Attempt) -> Comparison:
    """Compare a finished attempt with earlier solves and with those of others."""
    others = Attempt.id != attempt.id
    own = _times(others, Attempt.player_id == attempt.player_id, Attempt.level == attempt.level)
    same = _times(others, Attempt.player_id != attempt.player_id, Attempt.puzzle_id == attempt.puzzle_id)
    slower = None
    if same and attempt.elapsed_ms is not None:
        mine = attempt.elapsed_ms
        slower = sum(1.0 if time > mine else 0.5 if time == mine else 0.0 for time in same) / len(same)
    seconds = dict(sorted(Counter(time // 1000 for time in same).items()))
    best = min(own, default=None)
    return Comparison(_median(own), best, len(own), _median(same), len(same), slower, seconds)


def of_puzzle(puzzle_id: int) -> PuzzleTimes:
    """Return players' times for a puzzle."""
    times = _times(Attempt.puzzle_id == puzzle_id)
    return PuzzleTimes(_median(times), len(times), provisional=len(times) < ENOUGH)


def expected_seconds(puzzle_id: int, model: float, *, without: int) -> float:
    """Return a puzzle's expected time: the model's, and what players but this one have measured."""
    times = _times(Attempt.puzzle_id == puzzle_id, Attempt.player_id != without)
    return blend(model, median(times) / 1000, len(times)) if times and median(times) else model


@dataclass(frozen=True, slots=True)
class Learned:
    """How players' times for a puzzle differ from the expected time; 0.2 means a fifth longer."""

    expected_ms: int  # what the model says
    seconds: float  # the same once measured times are taken into account
    interval: tuple[float, float]  # seconds between which four of five mean times lie
    times: PuzzleTimes
    players: float | None  # by how much the median differs from the expectation
    at_their_pace: float | None  # the same, each time first divided by that player's own pace
    own_ms: int | None
    own: float | None  # by how much the player's own time differs
    own_pace: float | None  # the player's usual time, in expected times
    own_at_pace: float | None  # by how much it differs for a player of that pace


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
        round(expected * 1000),
        seconds,
        interval(seconds, rated.explainer or HARDEST, times.solves),
        times,
        None if times.median is None else times.median / expected / 1000 - 1,
        median(ratios) - 1 if ratios else None,
        own_ms,
        None if own is None else own - 1,
        pace,
        None if own is None or pace is None else own / pace - 1,
    )


def _paces(player_ids: set[int], without: int) -> dict[int, float]:
    """Return each player's usual time, relative to expected times, over their other puzzles if enough."""
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


@dataclass(frozen=True, slots=True)
class Deviation:
    """A puzzle whose solve times differ from the expected time."""

    puzzle_id: int
    expected_ms: int
    times: PuzzleTimes
    ratio: float  # median over expectation


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well expected and measured times agree, over puzzles with at least FEWEST_FOR_PACE solves."""

    puzzles: int
    ratio: float | None  # the median puzzle's time over its expectation
    near: float | None  # share of puzzles within NEAR of the expectation, either way
    correlation: float | None  # of the logarithms; None with fewer than three puzzles
    furthest: Sequence[Deviation]  # those that deviate most, worst first


def agreement(most: int = 20) -> Agreement:
    """Compare the latest solves of all puzzles with their expected times."""
    rows = db.session.execute(
        _counted((Attempt.puzzle_id, Attempt.elapsed_ms, Puzzle.expected_seconds))
        .join(Attempt.puzzle)
        .where(Puzzle.expected_seconds > 0, Puzzle.status != Status.ENTERED)
        .order_by(Attempt.finished_at.desc())
        .limit(MOST_COMPARED)
    )
    times: dict[int, list[int]] = {}
    expected: dict[int, float] = {}
    for puzzle_id, elapsed_ms, seconds in rows:
        if elapsed_ms:
            times.setdefault(puzzle_id, []).append(elapsed_ms)
            expected[puzzle_id] = seconds * 1000
    found = [
        Deviation(
            puzzle_id,
            round(expected[puzzle_id]),
            PuzzleTimes(round(median(own)), len(own), provisional=len(own) < ENOUGH),
            median(own) / expected[puzzle_id],
        )
        for puzzle_id, own in times.items()
        if len(own) >= FEWEST_FOR_PACE
    ]
    found.sort(key=lambda one: (-abs(log(one.ratio)), one.puzzle_id))
    ratios = [one.ratio for one in found]
    return Agreement(
        len(found),
        median(ratios) if ratios else None,
        sum(1 / NEAR <= ratio <= NEAR for ratio in ratios) / len(ratios) if ratios else None,
        _correlation(
            [log(one.expected_ms) for one in found], [log(one.ratio * one.expected_ms) for one in found]
        ),
        found[:most],
    )


def _correlation(first: list[float], second: list[float]) -> float | None:
    """Return Pearson's correlation; None if it is undefined."""
    if len(first) < 3 or len(set(first)) == 1 or len(set(second)) == 1:
        return None
    return correlation(first, second)


# The conditions for an attempt to count in any statistic.
COUNTED: tuple[sa.ColumnElement[bool], ...] = (
    Attempt.finished_at.is_not(None),
    Attempt.assisted.is_(False),
    sa.or_(
        sa.and_(Attempt.doubts.is_(None), Attempt.standing.is_(None)), Attempt.standing == Standing.VERIFIED
    ),
    ~MET_BEFORE,
)


# Only games of races are turned without being a daily's. The clock of all starts with the race.
_RACED = sa.and_(Attempt.turn.is_not(None), Attempt.daily_id.is_(None))


def _counted(columns: Sequence[Any], *conditions: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Select these columns of the solves whose times count."""
    return sa.select(*columns).where(*COUNTED, ~_RACED, *conditions)


def _times(*conditions: sa.ColumnElement[bool]) -> list[int]:
    query = (
        _counted((Attempt.elapsed_ms,), *conditions).order_by(Attempt.finished_at.desc()).limit(MOST_COMPARED)
    )
    return [time for time in db.session.scalars(query) if time is not None]


def _median(times: list[int]) -> int | None:
    return round(median(times)) if times else None
