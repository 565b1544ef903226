"""The next puzzle for a player: an unseen one that they solve about two times in three. Only reads."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import sqlalchemy as sa

from webapp.bank.bank import LEVELS
from webapp.learn.strength.glicko import Rating, opponent_for
from webapp.learn.strength.scoring import START_DEVIATION
from webapp.models import Attempt, Peek, PlayerRating, Puzzle, PuzzleRating, Status
from webapp.models.learning.strength import OVERALL
from webapp.process.database import db

# The player's expected score, by what they ask for.
SHIFTS: Final = {"": 0.67, "easier": 0.8, "harder": 0.5}
CLOSE: Final = 40.0  # points: puzzles within are equally good
FAR: Final = 200.0  # points: beyond, a new puzzle of the right level fits better
MOST_LOOKED_AT: Final = 12  # puzzles on either side
MOST_TECHNIQUES: Final = 6  # techniques searched for, each with queries of its own
# The initial rating of puzzles by level, the median; measured by benchmarks/strength.md.
TYPICAL: Final = {1: 810.0, 2: 1060.0, 3: 1310.0, 4: 1520.0, 5: 1820.0}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The puzzle that a player should get: its rating, and the levels of such puzzles."""

    rating: float
    begin_at: int | None = None  # the level for a newcomer, whose rating is unknown

    @property
    def levels(self) -> list[int]:
        """All levels, the one with the most similar puzzles first."""
        at = self.rating if self.begin_at is None else TYPICAL[self.begin_at]
        return sorted(LEVELS, key=lambda level: abs(TYPICAL[level] - at))


def wanted(player_id: int | None, shift: str) -> Wanted:
    """Return the rating of the puzzles a player should get. shift: a key of SHIFTS."""
    own = db.session.get(PlayerRating, (player_id, OVERALL)) if player_id is not None else None
    rating = Rating() if own is None else Rating(own.rating, own.deviation, own.volatility)
    begin_at = None if own is not None else 2 if shift == "harder" else 1
    return Wanted(opponent_for(rating, SHIFTS[shift], START_DEVIATION), begin_at)


def next_puzzle(player_id: int | None, wish: Wanted, techniques: Sequence[str] = ()) -> int | None:
    """Return the id of an unseen offered puzzle near the wanted rating; None if there is none.

    techniques: keys that are due for practice, most urgent first; puzzles with one of them as the hardest
    technique come first.
    """
    for key in (*techniques[:MOST_TECHNIQUES], *(() if wish.begin_at else (None,))):
        found = _near(player_id, wish.rating, key)
        if found is not None:
            return found
    return None


def of_minutes(player_id: int | None, minutes: int) -> int | None:
    """Return the id of an offered puzzle that the player has not met and that takes about so long; or None.

    Where none is close, it is the nearest that there is.
    """
    given = {"player": player_id, "at": 60.0 * minutes, "technique": None}
    return _nearest(_walks(Puzzle.expected_seconds, known=player_id is not None), given, 60.0 * minutes / 10)


def _near(player_id: int | None, rating: float, technique: str | None) -> int | None:
    """Return a random one of the puzzles closest to a rating, or None.

    technique: the hardest one that they need, if it matters.
    """
    given = {"player": player_id, "at": rating, "technique": technique}
    walks = _walks(PuzzleRating.rating, known=player_id is not None, any_technique=technique is None)
    return _nearest(walks, given, CLOSE)


def _nearest(walks: Sequence[sa.Select[int, float]], given: Mapping[str, Any], close: float) -> int | None:
    """Return a random one of the puzzles that two walks find within `close`, else the nearest, or None."""
    found = sorted(
        (abs(value - given["at"]), puzzle_id)
        for walk in walks
        for puzzle_id, value in db.session.execute(walk, given)
    )
    near = [puzzle_id for away, puzzle_id in found if away <= close]
    return secrets.choice(near) if near else next((puzzle_id for _away, puzzle_id in found), None)


@cache
def _walks(column: Any, *, known: bool, any_technique: bool = True) -> tuple[sa.Select[int, float], ...]:
    """Two walks along the index of a column, up and down from `at`, which end after a few rows.

    column: the rating of a puzzle, of which those within FAR count, or its expected time.
    However many puzzles and games there are, only puzzles that the player, if `known`, has met are passed
    over.
    Put together once: that costs more than to run them.
    """
    at = sa.bindparam("at", type_=column.type)
    is_offered = sa.and_(Puzzle.status == Status.APPROVED, Puzzle.offered)
    rated = column is PuzzleRating.rating
    number = PuzzleRating.puzzle_id if rated else Puzzle.id
    query = sa.select(number, column).limit(MOST_LOOKED_AT)
    if not any_technique:
        query = query.where(PuzzleRating.hardest == sa.bindparam("technique"))
    if known:
        # Read once as a set. Looked up for every row, 5,000 games took PostgreSQL 160 ms.
        for met in (Attempt, Peek):
            theirs = sa.select(met.puzzle_id).where(met.player_id == sa.bindparam("player"))
            query = query.where(number.not_in(theirs))
    if rated:
        # Looked up for every row that is left: as a join, SQLite would sort all approved puzzles.
        query = query.where(sa.select(is_offered).where(Puzzle.id == number).scalar_subquery())
    else:
        query = query.where(is_offered)
    up = column.between(at, at + FAR) if rated else column >= at
    down = sa.and_(column < at, column >= at - FAR) if rated else column < at
    return (
        query.where(up).order_by(column, number),
        query.where(down).order_by(column.desc(), number.desc()),
    )
