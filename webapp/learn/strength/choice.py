"""The next puzzle for a player: one they solve about two times in three, and have never met. Only reads."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import sqlalchemy as sa

from webapp.bank.bank import LEVELS
from webapp.learn.strength.glicko import Rating, opponent_for
from webapp.learn.strength.scoring import START_DEVIATION
from webapp.models import Attempt, Peek, PlayerRating, Puzzle, PuzzleRating, Status
from webapp.models.learning.strength import OVERALL
from webapp.process.database import db

# The score that a player is to make, by what they ask for.
SHIFTS: Final = {"": 0.67, "easier": 0.8, "harder": 0.5}
CLOSE: Final = 40.0  # points: puzzles within are as good as each other
FAR: Final = 200.0  # points: beyond, a new puzzle of the right level fits better
MOST_LOOKED_AT: Final = 12  # puzzles on either side
MOST_TECHNIQUES: Final = 6  # looked for, each with queries of its own
# The rating at which puzzles of a level begin, in the middle; measured by benchmarks/strength.md.
TYPICAL: Final = {1: 810.0, 2: 1060.0, 3: 1310.0, 4: 1520.0, 5: 1820.0}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What puzzle a player should get: its rating, and the levels whose puzzles are like that."""

    rating: float

    @property
    def levels(self) -> list[int]:
        """All levels, the one whose puzzles are most like that first."""
        return sorted(LEVELS, key=lambda level: abs(TYPICAL[level] - self.rating))


def wanted(player_id: int | None, shift: str) -> Wanted:
    """Return the rating of the puzzles a player should get. shift: a key of SHIFTS."""
    own = db.session.get(PlayerRating, (player_id, OVERALL)) if player_id is not None else None
    rating = Rating() if own is None else Rating(own.rating, own.deviation, own.volatility)
    return Wanted(opponent_for(rating, SHIFTS[shift], START_DEVIATION))


def next_puzzle(player_id: int | None, wish: Wanted, techniques: Sequence[str] = ()) -> int | None:
    """Return the id of an offered puzzle near the rating wanted that the player has not met; None if none is.

    techniques: keys that are due for practice, most urgent first; puzzles come first whose hardest technique
    is one of them.
    """
    for key in (*techniques[:MOST_TECHNIQUES], None):
        found = _near(player_id, wish.rating, key)
        if found is not None:
            return found
    return None


def _near(player_id: int | None, rating: float, technique: str | None) -> int | None:
    """Return a random one of the puzzles closest to a rating, or None.

    technique: the hardest one that they need, if it matters.
    """
    given = {"player": player_id, "rating": rating, "technique": technique}
    found = sorted(
        (abs(its_rating - rating), puzzle_id)
        for walk in _walks(known=player_id is not None, any_technique=technique is None)
        for puzzle_id, its_rating in db.session.execute(walk, given)
    )
    close = [puzzle_id for away, puzzle_id in found if away <= CLOSE]
    return secrets.choice(close) if close else next((puzzle_id for _away, puzzle_id in found), None)


@cache
def _walks(*, known: bool, any_technique: bool) -> tuple[sa.Select[int, float], ...]:
    """Two walks along an index, up and down from a rating, which end after a few rows.

    However many puzzles and games there are, only puzzles that the player, if `known`, has met are passed
    over.
    Put together once: that costs more than to run them.
    """
    rating = sa.bindparam("rating", type_=PuzzleRating.rating.type)
    query = sa.select(PuzzleRating.puzzle_id, PuzzleRating.rating).limit(MOST_LOOKED_AT)
    if not any_technique:
        query = query.where(PuzzleRating.hardest == sa.bindparam("technique"))
    if known:
        # Read once as a set. Looked up for every row, 5,000 games took PostgreSQL 160 ms.
        for met in (Attempt, Peek):
            theirs = sa.select(met.puzzle_id).where(met.player_id == sa.bindparam("player"))
            query = query.where(PuzzleRating.puzzle_id.not_in(theirs))
    # Looked up for every row that is left: as a join, SQLite would sort all approved puzzles.
    offered = (
        sa.select(sa.and_(Puzzle.status == Status.APPROVED, Puzzle.offered))
        .where(Puzzle.id == PuzzleRating.puzzle_id)
        .scalar_subquery()
    )
    query = query.where(offered)
    column = PuzzleRating.rating
    return (
        query.where(column.between(rating, rating + FAR)).order_by(column, PuzzleRating.puzzle_id),
        query.where(column < rating, column >= rating - FAR).order_by(
            column.desc(), PuzzleRating.puzzle_id.desc()
        ),
    )
