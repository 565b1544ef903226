"""Keep the scale of puzzles in place: those that games have changed keep their average.

A player who plays a puzzle without help is a little better than their rating says, so puzzles sink together.
Once a day all of them are raised by their average loss, which keeps their order. Owns its transactions.
"""

from __future__ import annotations

from collections.abc import Collection
from statistics import fmean
from typing import Final

import sqlalchemy as sa

from webapp.learn.strength import scoring
from webapp.models import Puzzle, PuzzleRating
from webapp.process.database import db, write_tx

LEAST: Final = 0.25  # points; smaller shifts aren't worth writing
FEWEST: Final = 30  # puzzles: the mean of fewer is too uncertain
STEP: Final = 500  # puzzles per transaction


def shift(moved: Collection[float]) -> float:
    """Return by how much to raise puzzles whose ratings games have changed by these points; 0 if too
    little.
    """
    if len(moved) < FEWEST:
        return 0.0
    sunk = -fmean(moved)
    return sunk if abs(sunk) >= LEAST else 0.0


def anchor() -> float:
    """Shift all puzzles that games have changed, so that their average change is 0. Raises Busy.

    Returns the points. An interrupted run has shifted some of them; the next one does the rest.
    """
    rows = db.session.execute(
        sa.select(PuzzleRating.puzzle_id, PuzzleRating.rating, Puzzle.expected_seconds, Puzzle.explainer)
        .join(Puzzle, Puzzle.id == PuzzleRating.puzzle_id)
        .where(PuzzleRating.games > 0, Puzzle.expected_seconds > 0)
        .order_by(PuzzleRating.puzzle_id)
    ).all()
    db.session.rollback()  # no open transaction while waiting for locks
    points = shift(
        [rating - scoring.start(seconds, er).rating for _number, rating, seconds, er in rows if seconds]
    )
    if points:
        for at in range(0, len(rows), STEP):
            numbers = [row.puzzle_id for row in rows[at : at + STEP]]
            held = sa.select(PuzzleRating.puzzle_id).where(PuzzleRating.puzzle_id.in_(numbers))
            lifted = sa.update(PuzzleRating).where(PuzzleRating.puzzle_id.in_(numbers))
            with write_tx():
                # In the order of their numbers, as in rating a game.
                db.session.execute(held.order_by(PuzzleRating.puzzle_id).with_for_update())
                db.session.execute(
                    lifted.values(rating=PuzzleRating.rating + points).execution_options(
                        synchronize_session=False
                    )
                )
    return points
