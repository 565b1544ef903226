"""How one solve compares: with the player's own, with everybody's. Only unassisted solves count."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

import sqlalchemy as sa

from webapp.database import db
from webapp.models import Attempt

MOST_COMPARED = 10_000  # solves looked at for one median; the latest are taken


ENOUGH = 30  # solves from which a median is no longer called provisional


@dataclass(frozen=True, slots=True)
class PuzzleTimes:
    """The median of everybody's unassisted solves of one puzzle, in milliseconds."""

    median: int | None
    solves: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Medians in milliseconds; None where there is nothing to compare with."""

    own_median: int | None  # of the player's other solves at this level
    own_solves: int
    puzzle_median: int | None  # of other players' solves of this puzzle
    puzzle_solves: int
    slower: float | None  # share of those that took longer, ties half, 0..1


def compare(attempt: Attempt) -> Comparison:
    """Hold a finished attempt against the solves before and beside it."""
    others = Attempt.id != attempt.id
    own = _times(others, Attempt.player_id == attempt.player_id, Attempt.level == attempt.level)
    same = _times(others, Attempt.player_id != attempt.player_id, Attempt.puzzle_id == attempt.puzzle_id)
    slower = None
    if same and attempt.elapsed_ms is not None:
        mine = attempt.elapsed_ms
        slower = sum(1.0 if time > mine else 0.5 if time == mine else 0.0 for time in same) / len(same)
    return Comparison(_median(own), len(own), _median(same), len(same), slower)


def of_puzzle(puzzle_id: int) -> PuzzleTimes:
    """How people have fared with a puzzle."""
    times = _times(Attempt.puzzle_id == puzzle_id)
    return PuzzleTimes(_median(times), len(times), provisional=len(times) < ENOUGH)


def _times(*conditions: sa.ColumnElement[bool]) -> list[int]:
    query = (
        sa.select(Attempt.elapsed_ms)
        .where(Attempt.finished_at.is_not(None), Attempt.assisted.is_(False), *conditions)
        .order_by(Attempt.finished_at.desc())
        .limit(MOST_COMPARED)
    )
    return [time for time in db.session.scalars(query) if time is not None]


def _median(times: list[int]) -> int | None:
    return round(median(times)) if times else None
