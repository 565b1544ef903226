"""The scale of puzzles stays anchored to the engine's estimates, even if games shift all of them together."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from tests.webapp.learn.strength.played import add_puzzles, rating_of
from webapp.learn.strength import anchoring, strength
from webapp.models import PuzzleRating
from webapp.process.database import db, write_tx

pytestmark = pytest.mark.usefixtures("inside")


def moved(puzzle: int, points: float) -> None:
    values = {"rating": 1500 + points, "games": 1}
    with write_tx():
        db.session.execute(sa.update(PuzzleRating).where(PuzzleRating.puzzle_id == puzzle).values(**values))


def test_puzzles_that_sank_together_are_lifted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anchoring, "FEWEST", 3)
    monkeypatch.setattr(anchoring, "STEP", 2)
    first, second, third, unplayed = add_puzzles(4)
    strength.begin_ratings()
    for puzzle, points in ((first, -30), (second, -10), (third, 10)):
        moved(puzzle, points)
    assert anchoring.anchor() == pytest.approx(10)
    assert [rating_of(puzzle) for puzzle in (first, second, third, unplayed)] == [
        (1480, 1),
        (1500, 1),
        (1520, 1),
        (1500, 0),
    ]
    assert anchoring.anchor() == 0


def test_a_few_puzzles_and_a_little_are_left_alone() -> None:
    assert anchoring.shift((anchoring.FEWEST - 1) * [-20.0]) == 0
    assert anchoring.shift(anchoring.FEWEST * [-anchoring.LEAST / 2]) == 0
    assert anchoring.shift(anchoring.FEWEST * [4.0]) == -4
